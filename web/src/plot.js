// One plot of curves (uPlot draws it): zoom, readout, and a mark at the time of the clock.
import uPlot from "uplot";
import { decades, equalised, padded } from "./box.js";
import { element } from "./dom.js";
import { createLegend } from "./legend.js";
import { powerTexts, tickTexts } from "./number.js";
import { locate, rangeOf, valueAt } from "./samples.js";
import { colour, CURVE_COLOURS } from "./theme.js";
import { listenForZoom } from "./zoom.js";

/**
 * @typedef {import("./data.js").Column} Column
 * @typedef {{x: Column, y: Column, index: number}} Curve    index: which colour and dash
 * @typedef {{curves: Curve[], times: number[], equal?: boolean, logarithmic?: boolean, height?: number,
 *            events?: {name: string, t: number}[]}} Content
 */

const HEIGHT = 260;
const CLICK = 4; // px that a click may move
const DASHES = [[], [7, 4], [2, 3]];

export const curveColour = index => colour("curve-" + (index % CURVE_COLOURS));
const curveDash = index => DASHES[Math.floor(index / CURVE_COLOURS) % DASHES.length];

/** A curve through samples in their order, broken where a value is missing or cannot be on the axis. */
function tracePath(chart, seriesIndex) {
    const stroke = new Path2D();
    uPlot.orient(chart, seriesIndex, (series, xs, ys, scaleX, scaleY, toX, toY, left, top, width, height) => {
        let drawing = false;
        for (let i = 0; i < xs.length; i++) {
            const seen = xs[i] !== null && ys[i] !== null && (scaleY.distr !== 3 || ys[i] > 0);
            if (seen) {
                const x = toX(xs[i], scaleX, width, left);
                const y = toY(ys[i], scaleY, height, top);
                if (drawing) stroke.lineTo(x, y);
                else stroke.moveTo(x, y);
            }
            drawing = seen;
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
        values: logarithmic ? (chart, ticks) => powerTexts(ticks) : (chart, ticks, index, space, step) => tickTexts(ticks, step),
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

/**
 * @param {HTMLElement} host where the plot goes
 * @param {Content} content
 * @param {ReturnType<import("./clock.js").createClock>} clock
 * @param {string} title for those who hear the page
 */
export function createPlot(host, content, clock, title) {
    const { curves, times } = content;
    const againstTime = curves.every(curve => curve.x.values === times);
    const visible = curves.map(() => true);
    const stage = element("div", { class: "plot", tabindex: 0, role: "img", "aria-label": title });
    const timeLine = element("div", { class: "time-line", hidden: !againstTime });
    const dots = curves.map(curve => element("div", { class: "dot", style: `background: var(--curve-${curve.index % CURVE_COLOURS})` }));
    const legend = createLegend(content, againstTime, (index, on) => {
        visible[index] = on;
        chart.setSeries(index + 1, { show: on });
        showAt(clock.time());
    });
    host.replaceChildren(stage, legend.element);
    let current = { x: [0, 1], y: [0, 1] };
    let zoomed = false;

    const chart = new uPlot({
        mode: 2,
        width: Math.max(200, host.clientWidth),
        height: content.height ?? HEIGHT,
        padding: [10, 12, 0, 0],
        legend: { show: false },
        scales: {
            x: { time: false, auto: false, range: () => current.x },
            y: { auto: false, distr: content.logarithmic ? 3 : 1, range: () => current.y },
        },
        axes: [axis("x", 2, false), axis("y", 3, content.logarithmic)],
        series: [null, ...curves.map(seriesOf)],
        cursor: {
            drag: { x: true, y: true, uni: content.equal ? null : 40, setScale: false, dist: CLICK },
            points: { show: false },
            dataIdx: () => null,
            bind: { dblclick: () => reset },
        },
        hooks: {
            setSelect: [zoomToSelection],
            setCursor: [() => showAt(pointed() ?? clock.time())],
            setSize: [() => setBox(zoomed ? current : whole())],
            draw: [() => showAt(pointed() ?? clock.time()), () => againstTime && content.events && drawEvents(chart, content.events)],
        },
    }, [null, ...curves.map(curve => [curve.x.values, curve.y.values])], stage);

    function whole() {
        const shown = curves.filter((curve, index) => visible[index]);
        const ys = rangeOf(shown.map(curve => content.logarithmic ? curve.y.values.map(y => (y > 0 ? y : null)) : curve.y.values));
        const xs = rangeOf(shown.map(curve => curve.x.values));
        return { x: againstTime ? xs ?? [0, 1] : padded(xs), y: content.logarithmic ? decades(ys) : padded(ys) };
    }

    function setBox(box) {
        const ratio = chart.pxRatio ?? devicePixelRatio;
        current = content.equal ? equalised(box, chart.bbox.width / ratio, chart.bbox.height / ratio) : box;
        chart.batch(() => {
            chart.setScale("x", { min: current.x[0], max: current.x[1] });
            chart.setScale("y", { min: current.y[0], max: current.y[1] });
        });
    }

    function reset() {
        zoomed = false;
        setBox(whole());
    }

    function zoomTo(box) {
        zoomed = true;
        setBox(box);
    }

    function zoomToSelection() {
        const { left, top, width, height } = chart.select;
        if (width <= 0 || height <= 0) return;
        zoomTo({
            x: [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")],
            y: [chart.posToVal(top + height, "y"), chart.posToVal(top, "y")],
        });
        chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    }

    /** The time of the sample nearest to a point of the plot, in px. */
    function timeNear(left, top) {
        if (againstTime) return chart.posToVal(left, "x");
        let best = { distance: Infinity, time: null };
        curves.forEach((curve, index) => {
            if (!visible[index]) return;
            for (let i = 0; i < times.length; i++) {
                if (curve.x.values[i] === null || curve.y.values[i] === null) continue;
                const distance = Math.hypot(chart.valToPos(curve.x.values[i], "x") - left, chart.valToPos(curve.y.values[i], "y") - top);
                if (distance < best.distance) best = { distance, time: times[i] };
            }
        });
        return best.time;
    }

    /** The time that the mouse points at; null when it points at none. */
    function pointed() {
        const { left, top } = chart.cursor;
        return left >= 0 && top >= 0 ? timeNear(left, top) : null;
    }

    function showAt(time) {
        const place = locate(times, time);
        if (againstTime) timeLine.style.transform = `translateX(${chart.valToPos(time, "x")}px)`;
        const values = curves.map((curve, index) => {
            const x = valueAt(curve.x.values, place);
            const y = valueAt(curve.y.values, place);
            const seen = visible[index] && x !== null && y !== null && (!content.logarithmic || y > 0);
            dots[index].hidden = !seen;
            if (seen) dots[index].style.transform = `translate(${chart.valToPos(x, "x")}px, ${chart.valToPos(y, "y")}px)`;
            return { x, y };
        });
        legend.show(time, values);
    }

    chart.over.append(timeLine, ...dots);
    let pressed = null;
    chart.over.addEventListener("mousedown", event => (pressed = [event.clientX, event.clientY]));
    chart.over.addEventListener("click", event => {
        if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > CLICK) return;
        const { left, top } = chart.over.getBoundingClientRect();
        clock.setTime(timeNear(event.clientX - left, event.clientY - top) ?? clock.time());
    });
    const view = {
        area: chart.over,
        box: () => current,
        setBox: zoomTo,
        reset,
        logarithmic: Boolean(content.logarithmic),
        at: (left, top) => ({ x: chart.posToVal(left, "x"), y: chart.posToVal(top, "y") }),
    };
    listenForZoom(view, stage);
    reset();
    const resized = new ResizeObserver(() => host.clientWidth > 0 && host.clientWidth !== chart.width &&
        chart.setSize({ width: host.clientWidth, height: chart.height }));
    resized.observe(host);
    stage.hamel = view;
    return {
        chart,
        content,
        reset,
        showTime: time => showAt(pointed() ?? time),
        redraw: () => chart.redraw(false),
        destroy() {
            resized.disconnect();
            chart.destroy();
        },
    };
}
