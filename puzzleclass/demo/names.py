"""Names for the demo's students: common Japanese family and given names, freely paired."""

import random

# fmt: off
FAMILY = [
    "佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "山本", "中村", "小林", "加藤", "吉田",
    "山田", "佐々木", "山口", "松本", "井上", "木村", "林", "斎藤", "清水", "山崎", "森",
    "池田", "橋本", "阿部", "石川", "山下", "中島", "石井", "小川", "前田", "岡田",
    "長谷川", "藤田", "後藤", "近藤", "村上", "遠藤", "青木", "坂本", "福田", "太田",
    "西村", "藤井", "金子", "岡本", "藤原", "三浦", "中野", "中川", "原田", "松田", "竹内",
    "小野", "田村", "中山", "和田", "石田", "森田", "上田", "原", "内田", "柴田", "酒井",
    "宮崎", "横山", "高木", "安藤", "宮本", "大野", "小島", "工藤", "谷口", "今井", "高田",
    "増田", "丸山", "杉山", "村田", "大塚",
]

GIVEN = [
    "陽葵", "凛", "蓮", "陽翔", "結菜", "湊", "葵", "樹", "さくら", "悠真", "芽依", "大翔",
    "莉子", "律", "紬", "朝陽", "美咲", "碧", "結衣", "颯太", "杏", "蒼", "心春", "悠人",
    "花", "陸", "咲良", "新", "澪", "奏太", "詩", "暖", "琴音", "瑛太", "愛莉", "海斗",
    "彩葉", "健太", "千尋", "拓海", "真央", "駿", "七海", "航", "美羽", "翼", "ひなた",
    "大和", "優奈", "隼人",
]
# fmt: on


def class_list(rng: random.Random, size: int, taken: set[str]) -> list[str]:
    """Return `size` different names in the order of a class list; adds them to `taken`.

    The order of `FAMILY` stands in for the order of the kana, which kanji don't show.
    """
    names: list[str] = []
    families = sorted(rng.sample(range(len(FAMILY)), size))
    for index in families:
        name = f"{FAMILY[index]} {rng.choice(GIVEN)}"
        while name in taken:
            name = f"{FAMILY[index]} {rng.choice(GIVEN)}"
        taken.add(name)
        names.append(name)
    return names
