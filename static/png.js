/* A board as a PNG: a button with `data-png`, the address of its SVG, and `data-name`, the name
   of the file. The browser paints the picture, so no server needs to be able to. */
"use strict";

(() => {
  const LONG_SIDE = 1200;

  async function painted(address) {
    const answer = await fetch(address);
    const svg = await answer.text();
    const box = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).slice(1).map(Number);
    const [width, height] = box.map((side) => Math.round((side * LONG_SIDE) / Math.max(...box)));
    // Without a size of its own a picture has another one in every browser.
    const source = svg.replace("<svg ", `<svg width="${width}" height="${height}" `);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-png]");
    if (!button) return;
    const href = URL.createObjectURL(await painted(button.dataset.png));
    Object.assign(document.createElement("a"), { href, download: button.dataset.name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  });
})();
