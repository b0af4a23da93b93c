// The page comes to life: what stands there as text gets tabs and buttons, what it carries as data gets plots and an animation.

/*! This script holds three.js, Copyright 2010-2026 Three.js Authors, and uPlot, Copyright (c) 2025, Leon Sorokin, under the MIT license:
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the
Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the
Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this permission
notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT
HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
import "../style/page.css";
import { createClock } from "./clock.js";
import { startContents } from "./contents.js";
import { startCopying } from "./copy.js";
import { readData } from "./data.js";
import { startDownloads } from "./downloads.js";
import { createPlayer, listenForKeys } from "./player.js";
import { startPlots } from "./plots.js";
import { startScene } from "./scene.js";
import { startStability } from "./stability.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";

/** Playing waits while nobody can see it, and does not begin by itself where the reader wants no motion. */
function playWhenSeen(host, clock) {
    clock.wait("unseen", true);
    new IntersectionObserver(entries => clock.wait("unseen", !entries.at(-1).isIntersecting)).observe(host);
    document.addEventListener("visibilitychange", () => clock.wait("hidden", document.hidden));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) clock.play();
}

function startAnimation(host, data, clock) {
    const stage = data.scene && startScene(host, data.scene, clock);
    const player = createPlayer(clock);
    if (stage) {
        player.append(...stage.buttons());
        listenForKeys(stage.area, clock);
    }
    host.append(player);
    host.hamel = {
        setTime: clock.setTime,
        time: clock.time,
        playing: clock.playing,
        pause: clock.pause,
        positionOf: index => stage.positionOf(index),
    };
    playWhenSeen(host, clock);
    return stage;
}

function startMotion(data) {
    const times = data.run.columns[0].values;
    const clock = createClock(times[0], times[times.length - 1]);
    const [animation, plots] = ["animation", "plots"].map(id => document.getElementById(id));
    const stage = animation && clock.first !== clock.last ? startAnimation(animation, data, clock) : null;
    if (plots) startPlots(plots, data, clock);
    return stage;
}

startTheme();
startTabs();
startCopying();
startContents();
const data = readData();
const stage = data?.run ? startMotion(data) : null;
const stability = document.getElementById("stability");
if (data?.steady && stability) startStability(stability, data);
const downloads = document.getElementById("downloads");
if (data && downloads) startDownloads(downloads, data, stage);
