/** Works, and from then on has nothing to do; prints how much it holds (MB): before, after, and then twice a second. */
import { setTimeout as pause } from "node:timers/promises";
import { collectWhenIdle } from "#libs/service/idle-collection.ts";

const say = () => console.log(process.memoryUsage.rss() / 1024 ** 2);
const text = JSON.stringify(Array.from({ length: 40 }, (_, at) => ({ name: `field ${at}`, value: `value ${at}` })));
collectWhenIdle(500);
say();
const kept: unknown[][] = [];
for (let batch = 0; batch < 60; batch++) {
	kept.push(Array.from({ length: 500 }, () => JSON.parse(text)));
	if (kept.length > 8) kept.shift();
	await pause(1);
}
kept.length = 0;
say();
setInterval(say, 500);
