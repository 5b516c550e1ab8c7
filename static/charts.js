/* The charts of the explore page, drawn with Chart.js. The page holds the numbers as JSON in the
   element `charts`, and a canvas for each chart with its name. */

(() => {
  /**
   * @typedef {object} Charted A chart in the page.
   * @property {string} name
   * @property {string} across The title of the horizontal axis.
   * @property {boolean} isLogarithmic
   * @property {{ label: string, points: { x: number, y: number, note: string }[] }[]} lines
   */

  const COLOURS = ["--accent", "--bad", "--ok", "--busy", "--warn", "--gold"];
  /* Lines also differ in the shape of their points, because not everybody sees colours. */
  const POINTS = ["circle", "rect", "triangle", "rectRot", "star", "cross"];

  /** @type {{ destroy(): void }[]} */
  const drawn = [];

  function draw() {
    while (drawn.length) drawn.pop()?.destroy();
    const charts = document.getElementById("charts");
    if (!charts) return;
    const style = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const token = (name) => style.getPropertyValue(name).trim();
    Chart.defaults.color = token("--ink-soft");
    Chart.defaults.borderColor = token("--line");
    Chart.defaults.font.family = token("--font");
    for (const chart of /** @type {Charted[]} */ (JSON.parse(charts.textContent))) {
      const canvas = document.querySelector(`[data-chart="${chart.name}"]`);
      drawn.push(new Chart(canvas, settings(chart, token)));
    }
  }

  /**
   * @param {Charted} chart
   * @param {(name: string) => string} token
   */
  function settings(chart, token) {
    const datasets = chart.lines.map(({ label, points }, n) => ({
      label,
      data: points,
      borderColor: token(COLOURS[n]),
      backgroundColor: token(COLOURS[n]),
      pointStyle: POINTS[n],
      pointRadius: 4,
    }));
    return {
      type: "line",
      data: { datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        parsing: false,
        scales: {
          x: { type: "linear", title: { display: true, text: chart.across }, ticks: { precision: 0 } },
          y: { type: chart.isLogarithmic ? "logarithmic" : "linear", beginAtZero: true },
        },
        plugins: {
          legend: { labels: { usePointStyle: true } },
          tooltip: {
            callbacks: { afterLabel: (/** @type {{ raw: { note: string } }} */ item) => item.raw.note },
          },
        },
      },
    };
  }

  document.addEventListener("DOMContentLoaded", draw);
  document.addEventListener("htmx:after:swap", draw);
})();
