/* A board as a PNG. The button has the address of the SVG as `data-png` and the name of the file as
   `data-name`. The browser paints the picture, so the server does not have to. */

(() => {
  const LONG_SIDE = 1200;

  /**
   * @param {string} address
   * @returns {Promise<Blob>}
   */
  async function painted(address) {
    const answer = await fetch(address);
    const svg = await answer.text();
    const [, ...sides] = /** @type {string[]} */ (svg.match(/viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"/));
    const box = sides.map(Number);
    const [width, height] = box.map((side) => Math.round((side * LONG_SIDE) / Math.max(...box)));
    // The size of an SVG without width and height differs from browser to browser.
    const source = svg.replace("<svg ", `<svg width="${width}" height="${height}" `);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(/** @type {BlobCallback} */ (resolve), "image/png"));
  }

  document.addEventListener("click", async (event) => {
    const button = event.target?.closest?.("[data-png]");
    if (!button) return;
    const href = URL.createObjectURL(await painted(button.dataset.png ?? ""));
    Object.assign(document.createElement("a"), { href, download: button.dataset.name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  });
})();
