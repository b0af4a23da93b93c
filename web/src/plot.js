// One plot of curves (uPlot draws it): zoom, readout, and a mark at the time of the clock.
import uPlot from "uplot";
import { decades, equalised, padded } from "./box.js";
import { element } from "./dom.js";
import { createLegend } from "./legend.js";
import { powersWithin, powerTexts, tickTexts } from "./number.js";
import { locate, rangeOf, valueAt } from "./samples.js";
import { colour, CURVE_COLOURS } from "./theme.js";
import { listenForZoom } from "./zoom.js";

/**
 * @typedef {import("./data.js").Column} Column
 * @typedef {{x: Column, y: Column, index: number}} Curve    index: which colour and dash
 * @typedef {{curves: Curve[], times: number[], equal?: boolean, logarithmic?: boolean, height?: number,
 *            events?: {name: string, t: number}[]}} Content
 *     equal: units of both axes are as long; logarithmic: the vertical axis, and then all values are positive or null
 */

const HEIGHT = 260;
const INDISTINCT = 0.5; // px of the canvas
const CLICK = 4; // px that a click may move
const DASHES = [[], [7, 4], [2, 3]];

export const curveColour = index => colour("curve-" + (index % CURVE_COLOURS));
const curveDash = index => DASHES[Math.floor(index / CURVE_COLOURS) % DASHES.length];

/** A curve through samples in their order, broken where a value is missing; samples that nobody could tell from the one before are left out. */
function tracePath(chart, seriesIndex) {
    const stroke = new Path2D();
    uPlot.orient(chart, seriesIndex, (series, xs, ys, scaleX, scaleY, toX, toY, left, top, width, height) => {
        let last = null;
        for (let i = 0; i < xs.length; i++) {
            if (xs[i] === null || ys[i] === null) {
                last = null;
                continue;
            }
            const x = toX(xs[i], scaleX, width, left);
            const y = toY(ys[i], scaleY, height, top);
            if (last && Math.abs(x - last.x) < INDISTINCT && Math.abs(y - last.y) < INDISTINCT) continue;
            if (last) stroke.lineTo(x, y);
            else stroke.moveTo(x, y);
            last = { x, y };
        }
    });
    return { stroke };
}

function axis(scale, side, logarithmic) {
    return {
        scale,
        side,
        stroke: () => colour("muted"),
        grid: { stroke: () => colour("rule"), width: 1 },
        ticks: { show: false },
        font: "12px system-ui, sans-serif",
        gap: 6,
        space: side === 2 ? 60 : 36,
        size: side === 2 ? 30 : (chart, texts) => 14 + 7 * Math.max(2, ...(texts ?? []).map(text => text.length)),
        ...(logarithmic && { splits: (chart, index, low, high) => powersWithin(low, high), filter: (chart, ticks) => ticks }),
        values: (chart, ticks, index, space, step) => (logarithmic ? powerTexts(ticks) : tickTexts(ticks, step)),
    };
}

function seriesOf(curve) {
    return {
        facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }],
        stroke: () => curveColour(curve.index),
        width: 1.6,
        dash: curveDash(curve.index),
        paths: tracePath,
    };
}

/** Where events happened: dotted lines across a plot against time. */
function drawEvents(chart, events) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    ctx.strokeStyle = colour("muted");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([devicePixelRatio, 3 * devicePixelRatio]);
    for (const { t } of events) {
        const x = chart.valToPos(t, "x", true);
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
}

export class Plot {
    /**
     * @param {HTMLElement} host where the plot goes
     * @param {Content} content
     * @param {ReturnType<import("./clock.js").createClock>} clock
     * @param {string} title for those who hear the page
     */
    constructor(host, content, clock, title) {
        this.content = content;
        this.clock = clock;
        this.logarithmic = Boolean(content.logarithmic);
        this.againstTime = content.curves.every(curve => curve.x.values === content.times);
        this.visible = content.curves.map(() => true);
        this.current = { x: [0, 1], y: [0, 1] };
        this.zoomed = false;
        this.stage = element("div", { class: "plot", tabindex: 0, role: "img", "aria-label": title });
        this.legend = createLegend(content, this.againstTime, (index, on) => this.setVisible(index, on));
        host.replaceChildren(this.stage, this.legend.element);
        this.chart = new uPlot(this.options(host.clientWidth), [null, ...content.curves.map(curve => [curve.x.values, curve.y.values])], this.stage);
        this.area = this.chart.over;
        this.addMarks();
        this.listen(host);
        this.reset();
        this.stage.hamel = this;
    }

    options(width) {
        const { content } = this;
        const show = () => this.marks && this.showTime();
        return {
            mode: 2,
            width: Math.max(200, width),
            height: content.height ?? HEIGHT,
            padding: [14, 18, 0, 0],
            legend: { show: false },
            scales: {
                x: { time: false, auto: false, range: () => this.current.x },
                y: { auto: false, distr: this.logarithmic ? 3 : 1, range: () => this.current.y },
            },
            axes: [axis("x", 2, false), axis("y", 3, this.logarithmic)],
            series: [null, ...content.curves.map(seriesOf)],
            cursor: {
                drag: { x: true, y: true, uni: content.equal ? null : 40, setScale: false, dist: CLICK },
                points: { show: false },
                dataIdx: () => null,
                bind: { dblclick: () => () => this.reset() },
            },
            hooks: {
                setSelect: [() => this.zoomToSelection()],
                setCursor: [show],
                setSize: [() => queueMicrotask(() => this.moveTo(this.zoomed ? this.current : this.whole()))],
                draw: [show, chart => this.againstTime && drawEvents(chart, content.events ?? [])],
            },
        };
    }

    /** A line at the time of the clock, and a dot on each curve. */
    addMarks() {
        const dot = curve => element("div", { class: "dot", style: `background: var(--curve-${curve.index % CURVE_COLOURS})` });
        this.marks = { line: element("div", { class: "time-line", hidden: !this.againstTime }), dots: this.content.curves.map(dot) };
        this.area.append(this.marks.line, ...this.marks.dots);
    }

    listen(host) {
        let pressed = [0, 0];
        this.area.addEventListener("mousedown", event => (pressed = [event.clientX, event.clientY]));
        this.area.addEventListener("click", event => {
            if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > CLICK) return;
            const { left, top } = this.area.getBoundingClientRect();
            this.clock.setTime(this.timeNear(event.clientX - left, event.clientY - top) ?? this.clock.time());
        });
        listenForZoom(this, this.stage);
        this.resized = new ResizeObserver(() => {
            if (host.clientWidth > 0 && host.clientWidth !== this.chart.width) this.chart.setSize({ width: host.clientWidth, height: this.chart.height });
        });
        this.resized.observe(host);
    }

    /** The box that holds all curves that are seen. */
    whole() {
        const shown = this.content.curves.filter((curve, index) => this.visible[index]);
        const xs = rangeOf(shown.map(curve => curve.x.values));
        const ys = rangeOf(shown.map(curve => curve.y.values));
        return { x: this.againstTime && xs ? xs : padded(xs), y: this.logarithmic ? decades(ys) : padded(ys) };
    }

    moveTo(box) {
        const { width, height } = this.chart.bbox;
        this.current = this.content.equal ? equalised(box, width, height) : box;
        this.chart.batch(() => {
            this.chart.setScale("x", { min: this.current.x[0], max: this.current.x[1] });
            this.chart.setScale("y", { min: this.current.y[0], max: this.current.y[1] });
        });
    }

    reset() {
        this.zoomed = false;
        this.moveTo(this.whole());
    }

    box() {
        return this.current;
    }

    setBox(box) {
        this.zoomed = true;
        this.moveTo(box);
    }

    at(left, top) {
        return { x: this.chart.posToVal(left, "x"), y: this.chart.posToVal(top, "y") };
    }

    zoomToSelection() {
        const { left, top, width, height } = this.chart.select;
        if (width <= 0 || height <= 0) return;
        const [lowLeft, highRight] = [this.at(left, top + height), this.at(left + width, top)];
        this.setBox({ x: [lowLeft.x, highRight.x], y: [lowLeft.y, highRight.y] });
        this.chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    }

    setVisible(index, on) {
        this.visible[index] = on;
        this.chart.setSeries(index + 1, { show: on });
        this.showTime();
    }

    /** The time of the sample nearest to a point of the plot, in px; null when there is none. */
    timeNear(left, top) {
        if (this.againstTime) return this.at(left, top).x;
        const { curves, times } = this.content;
        let best = { distance: Infinity, time: null };
        for (const { x, y } of curves.filter((curve, index) => this.visible[index])) {
            times.forEach((time, i) => {
                if (x.values[i] === null || y.values[i] === null) return;
                const distance = Math.hypot(this.chart.valToPos(x.values[i], "x") - left, this.chart.valToPos(y.values[i], "y") - top);
                if (distance < best.distance) best = { distance, time };
            });
        }
        return best.time;
    }

    /** Marks and values where the mouse points, or else at the time of the clock. */
    showTime() {
        const { left, top } = this.chart.cursor;
        const time = (left >= 0 && top >= 0 ? this.timeNear(left, top) : null) ?? this.clock.time();
        const place = locate(this.content.times, time);
        this.marks.line.style.transform = `translateX(${this.chart.valToPos(this.clock.time(), "x")}px)`;
        this.legend.show(time, this.content.curves.map((curve, index) => {
            const [x, y] = [curve.x, curve.y].map(({ values }) => valueAt(values, place));
            const dot = this.marks.dots[index];
            dot.hidden = !this.visible[index] || x === null || y === null;
            if (!dot.hidden) dot.style.transform = `translate(${this.chart.valToPos(x, "x")}px, ${this.chart.valToPos(y, "y")}px)`;
            return { x, y };
        }));
    }

    redraw() {
        this.chart.redraw(false);
    }

    destroy() {
        this.resized.disconnect();
        this.chart.destroy();
    }
}
