/* Draws the charts of the explore page with Chart.js: the numbers are in the page, as JSON in
   the element `charts`, and each chart has a canvas with its name. */
"use strict";

(() => {
  const COLOURS = ["--accent", "--bad", "--ok", "--busy", "--warn", "--gold"];
  /* Lines differ in the shape of their points, too: not everyone sees colours. */
  const POINTS = ["circle", "rect", "triangle", "rectRot", "star", "cross"];

  const drawn = [];

  function draw() {
    while (drawn.length) drawn.pop().destroy();
    const charts = document.getElementById("charts");
    if (!charts) return;
    const style = getComputedStyle(document.documentElement);
    const token = (name) => style.getPropertyValue(name).trim();
    Chart.defaults.color = token("--ink-soft");
    Chart.defaults.borderColor = token("--line");
    Chart.defaults.font.family = token("--font");
    for (const chart of JSON.parse(charts.textContent)) {
      const canvas = document.querySelector(`[data-chart="${chart.name}"]`);
      drawn.push(new Chart(canvas, settings(chart, token)));
    }
  }

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
          tooltip: { callbacks: { afterLabel: (item) => item.raw.note } },
        },
      },
    };
  }

  document.addEventListener("DOMContentLoaded", draw);
  document.addEventListener("htmx:after:swap", draw);
})();
