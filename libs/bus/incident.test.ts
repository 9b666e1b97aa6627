import { expect, test } from "vitest";
import { incidentOf } from "./incident.ts";

/** An incident on a clock that stands where it is put. */
function watched(calmMs = 0) {
	const clock = { now: 0 };
	const lines: [string, object, string][] = [];
	const say = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
	const log = { info: say("info"), warn: say("warn"), error: say("error") };
	const incident = incidentOf({ log, message: "it fails", closed: "it works again", calmMs, now: () => clock.now });
	return { clock, lines, incident };
}

const err = new Error("away");

test("what fails a thousand times in a minute is said once, and once more how often it was when it is over", () => {
	const { clock, lines, incident } = watched();
	for (let times = 0; times < 1_000; times++, clock.now += 50) incident.open(err);
	incident.close();
	expect(lines).toEqual([
		["warn", { err }, "it fails"],
		["info", { times: 1_000, seconds: 50 }, "it works again"],
	]);
});

test("what lasts is said about once a minute, with how often it was", () => {
	const { clock, lines, incident } = watched();
	for (let times = 0; times <= 120; times++, clock.now += 1_000) incident.open(err);
	expect(lines.map(([, fields]) => fields)).toEqual([{ err }, { err, times: 61 }, { err, times: 121 }]);
});

test("what fails again after it was over is said at once", () => {
	const { lines, incident } = watched();
	incident.open(err);
	incident.close();
	incident.open(err);
	expect(lines.map(([, , message]) => message)).toEqual(["it fails", "it works again", "it fails"]);
});

test("what some meet and others do not is said once, and is over when none has met it for a while", () => {
	const { clock, lines, incident } = watched(5_000);
	for (let times = 0; times < 100; times++, clock.now += 100) {
		incident.open(err);
		incident.close();
	}
	clock.now += 4_899;
	incident.close();
	expect(lines).toEqual([["warn", { err }, "it fails"]]);
	clock.now += 1;
	incident.close();
	incident.close();
	expect(lines.slice(1)).toEqual([["info", { times: 100, seconds: 15 }, "it works again"]]);
});

test("that nothing is wrong is no news", () => {
	const { lines, incident } = watched();
	incident.close();
	expect(lines).toEqual([]);
});
