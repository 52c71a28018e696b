"use strict";
// Draws the charts of a report with uPlot: three of them on one time axis, whose cursors and zoom go together.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const MINUTE = 60, DAY = 86400;
  const NEAR_PIXELS = 8;
  const ROW_PIXELS = 26;
  const SIGN_PIXELS = 5;
  // So much of a hatched bar is seen on either side of its name, or it has none.
  const HATCH_PIXELS = 12;
  // What is drawn last hides what it overlaps.
  const SIGNS_IN_ORDER = ["end", "other", "trouble"];
  const SHORTEST_SECONDS = 10 * MINUTE;
  const ALARM_NAMES = { "permitted-throughput-rise": "Rise" };
  const PHASE_COLORS = {
    "Warning": "warning", "Critical": "critical", "Exhausted": "exhausted", "Coming back": "permitted",
    "Falling fast": "draining",
  };
  const LANE_COLORS = {
    "warning": "warning", "critical": "critical", "exhausted": "exhausted", "draining": "draining",
    "permitted-throughput-rise": "rise",
  };
  const times = data.balance.map((_, index) => data.start + index * data.step);
  const charts = [];

  // Words

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const laneName = (lane) => ALARM_NAMES[lane.name] || capital(lane.name);
  const amount = (value, unit) => value == null ? "–" : `${value.toLocaleString("en", {
    minimumFractionDigits: 1, maximumFractionDigits: 1 })} ${unit}`;
  const two = (number) => String(number).padStart(2, "0");
  const clock = (seconds) => {
    const time = new Date(seconds * 1000);
    return `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
  };
  const day = (seconds) => new Date(seconds * 1000).toLocaleDateString("en-GB", {
    weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
  const moment = (seconds) => `${day(seconds)} ${clock(seconds)}`;
  const label = (text) => (self, value, series, index) => index == null ? "–" : text(self, times[index], index);

  // What was so at a time

  const during = (spans, time) => spans.find(([begin, end]) => begin <= time && time < end);
  const stateOf = (lane, time) => (during(lane.spans, time) || [0, 0, "–"])[2];
  const phaseAt = (time) => (during(data.phases, time) || [0, 0, "none"])[2];
  const thresholdAt = (time, column) => {
    let found = null;
    for (const step of data.thresholds) {
      if (step[0] > time) break;
      found = step[column];
    }
    return found;
  };
  const thresholdSeries = (column) => times.map((time) => thresholdAt(time, column));
  const nearest = (self, events) => {
    let best = null, least = NEAR_PIXELS;
    if (self.cursor.left == null || self.cursor.left < 0) return best;
    events.forEach((event, number) => {
      const distance = Math.abs(self.valToPos(event[0], "x") - self.cursor.left);
      if (distance <= least) [best, least] = [number, distance];
    });
    return best;
  };
  const mailWords = (self) => {
    const number = nearest(self, data.mails);
    return number == null ? "–" : `${clock(data.mails[number][0])} ${data.mails[number][3]}`;
  };
  const decisionWords = (self) => {
    const number = nearest(self, data.decisions);
    return number == null ? "–" : `${clock(data.decisions[number][0])} ${data.decisions[number][1]}`;
  };

  // The time axis

  const ticks = (self, splits, axis, space, increment) => {
    let last = null;
    return splits.map((split) => {
      const today = day(split), isNew = today !== last;
      last = today;
      if (increment >= DAY) return today;
      return isNew ? `${clock(split)}\n${today}` : clock(split);
    });
  };
  const zoomTo = (from, to) => {
    const length = Math.min(Math.max(to - from, SHORTEST_SECONDS), data.end - data.start);
    const middle = (from + to) / 2;
    const min = Math.max(data.start, Math.min(middle - length / 2, data.end - length));
    charts[0].setScale("x", { min, max: min + length });
  };
  const together = (self, scale) => {
    if (scale !== "x") return;
    const { min, max } = self.scales.x;
    for (const chart of charts) {
      if (chart.scales.x.min !== min || chart.scales.x.max !== max) chart.setScale("x", { min, max });
    }
  };
  const move = (how) => {
    const { min, max } = charts[0].scales.x;
    const quarter = (max - min) / 4;
    const moves = {
      whole: [data.start, data.end], in: [min + quarter, max - quarter], out: [min - 2 * quarter, max + 2 * quarter],
      earlier: [min - 2 * quarter, max - 2 * quarter], later: [min + 2 * quarter, max + 2 * quarter],
    };
    zoomTo(...moves[how]);
  };

  // Drawing

  const patterns = {
    "Warning": [[0, 8, 8, 0]],
    "Critical": [[0, 8, 8, 0], [0, 0, 8, 8]],
    "Coming back": [[0, 0, 8, 8]],
    "Falling fast": [[4, 0, 4, 8]],
    "INSUFFICIENT_DATA": [[0, 4, 8, 4]],
  };
  const hatched = (context, name, stroke) => {
    if (!(name in patterns)) return stroke;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const lines = tile.getContext("2d");
    lines.strokeStyle = stroke;
    lines.lineWidth = 1.5;
    for (const [x0, y0, x1, y1] of patterns[name]) {
      lines.beginPath();
      lines.moveTo(x0, y0);
      lines.lineTo(x1, y1);
      lines.stroke();
    }
    return context.createPattern(tile, "repeat");
  };
  const inside = (self, draw, beyond = 0) => {
    const { ctx, bbox } = self;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - beyond, bbox.top, bbox.width + 2 * beyond, bbox.height);
    ctx.clip();
    draw(ctx, bbox, window.devicePixelRatio || 1);
    ctx.restore();
  };
  const shadeTimesOfExhausted = (self) => inside(self, (ctx, bbox) => {
    ctx.fillStyle = color("shade");
    for (const [begin, end, name] of data.phases) {
      if (name !== "Exhausted") continue;
      const left = self.valToPos(begin, "x", true), right = self.valToPos(end, "x", true);
      ctx.fillRect(left, bbox.top, Math.max(right - left, 1), bbox.height);
    }
  });
  const nameThresholds = (self) => inside(self, (ctx, bbox, ratio) => {
    const named = [["Warning", 1], ["Critical", 2], ["Exhausted", 3]];
    const to = Math.min(self.scales.x.max, data.end - data.step);
    let last = -Infinity;
    ctx.font = `${11 * ratio}px sans-serif`;
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    for (const [name, column] of named) {
      const value = thresholdAt(to, column);
      if (value == null) continue;
      const top = self.valToPos(value, "y", true);
      if (Math.abs(top - last) < 13 * ratio || top < bbox.top) continue;
      last = top;
      const minutes = data.minutes[column - 1];
      const words = minutes ? `${name}, ${minutes} min` : name, right = bbox.left + bbox.width - 4 * ratio;
      // An outline of the letters: a box would hide the balance.
      ctx.lineJoin = "round";
      ctx.lineWidth = 3 * ratio;
      ctx.strokeStyle = color("paper");
      ctx.strokeText(words, right, top - 2 * ratio);
      ctx.fillStyle = color(name.toLowerCase());
      ctx.fillText(words, right, top - 2 * ratio);
    }
  });
  const hasPhases = data.lanes.length > 0, hasMails = data.mails.length > 0, hasChanges = data.decisions.length > 0;
  const rows = [
    ...(hasPhases ? ["Phase"] : []), ...data.lanes.map(laneName), ...(hasMails ? ["Mails"] : []),
    ...(hasChanges ? ["Changes"] : []),
  ];
  const MAILS = rows.indexOf("Mails"), CHANGES = rows.indexOf("Changes");
  const band = (self, row) => {
    const top = self.valToPos(rows.length - row, "y", true), bottom = self.valToPos(rows.length - row - 1, "y", true);
    return [top, bottom - top];
  };
  const box = (self, ctx, ratio, row, span, fill, stroke) => {
    const [top, height] = band(self, row);
    const left = self.valToPos(span[0], "x", true), right = self.valToPos(Math.min(span[1], data.end), "x", true);
    const width = Math.max(right - left, 2 * ratio);
    ctx.fillStyle = fill;
    ctx.fillRect(left, top + height * 0.18, width, height * 0.64);
    ctx.strokeStyle = stroke;
    ctx.lineWidth = ratio;
    ctx.strokeRect(left, top + height * 0.18, width, height * 0.64);
    return [left, width, top + height / 2];
  };
  // On a bar that is filled the letters have the paper's colour: a box around them would make it look hollow.
  const write = (ctx, ratio, text, left, width, middle, bbox, isFilled) => {
    const from = Math.max(left, bbox.left), room = Math.min(left + width, bbox.left + bbox.width) - from;
    ctx.font = `${11 * ratio}px sans-serif`;
    const needed = ctx.measureText(text).width + 8 * ratio;
    if (needed + (isFilled ? 0 : 2 * HATCH_PIXELS * ratio) > room) return;
    if (!isFilled) {
      ctx.fillStyle = color("paper");
      ctx.fillRect(from + (room - needed) / 2, middle - 7 * ratio, needed, 14 * ratio);
    }
    ctx.fillStyle = color(isFilled ? "paper" : "ink");
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, from + room / 2, middle);
  };
  const sign = (ctx, ratio, kind, x, y) => {
    const size = SIGN_PIXELS * ratio;
    ctx.beginPath();
    if (kind === "trouble") {
      ctx.moveTo(x, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.lineTo(x - size, y + size);
    } else if (kind === "end") {
      ctx.arc(x, y, size * 0.9, 0, 2 * Math.PI);
    } else {
      ctx.rect(x - size * 0.7, y - size * 0.7, size * 1.4, size * 1.4);
    }
    ctx.closePath();
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeStyle = color(kind);
    ctx.fillStyle = kind === "trouble" ? color(kind) : color("paper");
    ctx.fill();
    ctx.stroke();
  };
  const drawRows = (self) => inside(self, (ctx, bbox, ratio) => {
    for (const span of data.phases) {
      const stroke = color(PHASE_COLORS[span[2]]);
      const [left, width, middle] = box(self, ctx, ratio, 0, span, hatched(ctx, span[2], stroke), stroke);
      write(ctx, ratio, span[2], left, width, middle, bbox, !(span[2] in patterns));
    }
    data.lanes.forEach((lane, number) => {
      const row = number + 1, stroke = color(LANE_COLORS[lane.name]);
      for (const span of lane.spans) {
        if (span[2] === "OK") {
          const [top, height] = band(self, row);
          ctx.fillStyle = color("faint");
          const left = self.valToPos(span[0], "x", true);
          const right = self.valToPos(Math.min(span[1], data.end), "x", true);
          ctx.fillRect(left, top + height / 2, right - left, ratio);
        } else if (span[2] === "ALARM") {
          const [left, width, middle] = box(self, ctx, ratio, row, span, stroke, stroke);
          write(ctx, ratio, "ALARM", left, width, middle, bbox, true);
        } else {
          box(self, ctx, ratio, row, span, hatched(ctx, span[2], color("faint")), color("faint"));
        }
      }
    });
  });
  // Those of the first and the last minutes reach beyond the rows.
  const drawSigns = (self) => inside(self, (ctx, bbox, ratio) => {
    const put = (row, time, kind) => {
      if (time < self.scales.x.min || time > self.scales.x.max) return;
      const [top, height] = band(self, row);
      sign(ctx, ratio, kind, self.valToPos(time, "x", true), top + height / 2);
    };
    for (const wanted of SIGNS_IN_ORDER) {
      for (const [time, kind] of data.mails) if (kind === wanted) put(MAILS, time, kind);
    }
    for (const [time] of data.decisions) put(CHANGES, time, "other");
  }, (SIGN_PIXELS + 2) * (window.devicePixelRatio || 1));

  // The three charts

  const TIME = { label: "UTC", value: label((self, time) => moment(time)) };
  const line = (name, stroke, unit, more) => ({
    label: name, stroke: () => color(stroke), width: 1.5, points: { show: false },
    value: (self, value) => amount(value, unit), ...more,
  });
  const told = (name, value, kind) => ({
    label: name, scale: "y", paths: () => null, points: { show: false }, value, class: kind || "u-word",
  });
  const figures = {
    balance: {
      height: 280,
      unit: "GiB",
      series: [
        line("Balance", "balance", "GiB", { width: 2 }),
        line("Warning below", "warning", "GiB", { dash: [10, 5] }),
        line("Critical below", "critical", "GiB", { dash: [4, 4] }),
        line("Exhausted below", "exhausted", "GiB", { dash: [2, 3] }),
      ],
      values: () => [data.balance, thresholdSeries(1), thresholdSeries(2), thresholdSeries(3)],
      hooks: { drawClear: [shadeTimesOfExhausted], draw: [nameThresholds] },
    },
    rates: {
      height: 200,
      unit: "MiB/s",
      series: [
        line("Permitted", "permitted", "MiB/s", { dash: [10, 5], width: 2 }),
        line("Moved", "moved", "MiB/s", { fill: () => color("moved-fill") }),
      ],
      values: () => [data.permitted, data.moved],
      hooks: { drawClear: [shadeTimesOfExhausted] },
    },
    lanes: {
      height: ROW_PIXELS * rows.length + 56,
      rows: true,
      series: [
        ...(hasPhases ? [told("Phase", label((self, time) => phaseAt(time)))] : []),
        ...data.lanes.map((lane) => told(laneName(lane), label((self, time) => stateOf(lane, time)))),
        ...(hasMails ? [told("Mail", label(mailWords), "u-line")] : []),
        ...(hasChanges ? [told("Change", label(decisionWords), "u-line")] : []),
      ],
      values: () => rows.map((_, row) => times.map(() => rows.length - row - 0.5)),
      hooks: { drawClear: [shadeTimesOfExhausted], draw: [drawRows, drawSigns] },
    },
  };
  if (!rows.length) {
    delete figures.lanes;
    document.getElementById("lanes").closest("figure").hidden = true;
  }
  const axes = (figure) => [
    {
      stroke: () => color("ink"), values: ticks, size: 44, space: 84,
      grid: { stroke: () => color("grid"), width: 1 }, ticks: { stroke: () => color("grid"), width: 1 },
    },
    {
      stroke: () => color("ink"), size: 68, grid: { stroke: () => color("grid"), width: 1, show: !figure.rows },
      ticks: { show: false },
      ...(figure.rows ? {
        splits: () => rows.map((_, row) => rows.length - row - 0.5), values: () => rows, gap: SIGN_PIXELS + 4,
      } : { values: (self, splits) => splits.map((split) => split.toLocaleString("en")) }),
    },
  ];
  const dashed = (self, series) => {
    const dash = self.series[series].dash;
    return dash == null ? "solid" : dash[0] > 4 ? "dashed" : "dotted";
  };
  const draw = (id) => {
    const figure = figures[id], place = document.getElementById(id);
    place.replaceChildren();
    const top = figure.rows ? [0, rows.length] : null;
    const options = {
      width: place.clientWidth,
      height: figure.height,
      padding: [10, 40, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: {
        sync: { key: "report", filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        points: { show: !figure.rows },
        y: false,
        drag: { x: true, y: false },
      },
      scales: {
        x: { time: true, range: (self, min, max) => [min, max] },
        y: { range: (self, min, max) => top || [0, Math.max(max * 1.08, 1)] },
      },
      series: [TIME, ...figure.series],
      axes: axes(figure),
      legend: { markers: { dash: dashed, show: !figure.rows } },
      hooks: { ...figure.hooks, setScale: [together] },
    };
    const chart = new uPlot(options, [times, ...figure.values()], place);
    listen(chart, place, figure);
    return chart;
  };

  // Hands: fingers, keys, buttons

  const cursorTo = (time) => {
    for (const chart of charts) chart.setCursor({ left: chart.valToPos(time, "x"), top: 10 });
    document.getElementById("now").textContent = [...document.querySelectorAll(".chart .u-series")].map((row) =>
      `${row.querySelector("th").textContent}: ${row.querySelector("td").textContent}`).join(", ");
  };
  const listen = (chart, place, figure) => {
    const over = chart.over;
    let fingers = null;
    const seen = (event) => [...event.touches].map((touch) => touch.clientX - over.getBoundingClientRect().left);
    over.addEventListener("touchstart", (event) => {
      const at = seen(event).sort((one, other) => one - other);
      fingers = at.length === 2 ? at.map((left) => chart.posToVal(left, "x")) : null;
    }, { passive: true });
    over.addEventListener("touchmove", (event) => {
      const at = seen(event).sort((one, other) => one - other);
      if (at.length === 1) {
        cursorTo(chart.posToVal(at[0], "x"));
      } else if (at.length === 2 && fingers && at[1] - at[0] > 10) {
        event.preventDefault();
        // What was under the fingers stays under them.
        const scale = (fingers[1] - fingers[0]) / (at[1] - at[0]);
        const from = fingers[0] - at[0] * scale;
        zoomTo(from, from + over.clientWidth * scale);
      }
    }, { passive: false });
    over.addEventListener("dblclick", (event) => {
      event.stopImmediatePropagation();
      move("whole");
    }, true);
    if (figure.rows) {
      over.addEventListener("click", () => {
        const number = nearest(chart, data.mails);
        const row = rows.length - chart.posToVal(chart.cursor.top, "y");
        if (number == null || Math.floor(row) !== MAILS) return;
        const mail = document.getElementById(`mail-${number}`);
        const details = mail.querySelector("details");
        if (details) details.open = true;
        mail.scrollIntoView({ block: "start" });
        (mail.querySelector("summary") || mail).focus();
      });
    }
    place.onkeydown = (event) => {
      const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -60, PageDown: 60 };
      const ends = { Home: 0, End: times.length - 1 };
      if (!(event.key in steps || event.key in ends)) return;
      event.preventDefault();
      const { min, max } = chart.scales.x;
      const first = Math.max(chart.valToIdx(min), 0);
      const index = event.key in ends ? ends[event.key] : (chart.cursor.idx == null ? first : chart.cursor.idx)
        + steps[event.key];
      const time = times[Math.min(Math.max(index, 0), times.length - 1)];
      if (time < min || time > max) zoomTo(time - (max - min) / 2, time + (max - min) / 2);
      requestAnimationFrame(() => cursorTo(time));
    };
  };
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => move(button.dataset.zoom));
  }
  for (const button of document.querySelectorAll("[data-from]")) {
    button.addEventListener("click", () => {
      const from = Number(button.dataset.from), to = Number(button.dataset.to), margin = (to - from) / 10;
      zoomTo(from - margin, to + margin);
      document.getElementById("what-happened").scrollIntoView();
    });
  }

  const drawAll = () => {
    const shown = charts.length ? { ...charts[0].scales.x } : { min: data.start, max: data.end };
    for (const chart of charts.splice(0)) chart.destroy();
    for (const id of Object.keys(figures)) charts.push(draw(id));
    zoomTo(shown.min, shown.max);
  };
  drawAll();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  new ResizeObserver(() => {
    for (const chart of charts) {
      const width = chart.root.parentElement.clientWidth;
      if (width !== chart.width) chart.setSize({ width, height: chart.height });
    }
  }).observe(document.querySelector("main"));
  // For whoever looks closer with the browser's own tools.
  window.report = { data, charts, times };
})();
