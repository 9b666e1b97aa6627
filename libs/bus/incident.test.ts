import { expect, test } from "vitest";
import { incidentOf } from "./incident.ts";

/** An incident with a clock that the test sets. */
function watched(calmMs = 0) {
	const clock = { now: 0 };
	const lines: [string, object, string][] = [];
	const say = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
	const log = { info: say("info"), warn: say("warn"), error: say("error") };
	const incident = incidentOf({ log, message: "it fails", closed: "it works again", calmMs, now: () => clock.now });
	return { clock, lines, incident };
}

const err = new Error("away");

test("a thousand failures in a minute are logged once, and their number is logged when they end", () => {
	const { clock, lines, incident } = watched();
	for (let times = 0; times < 1_000; times++, clock.now += 50) incident.open(err);
	incident.close();
	expect(lines).toEqual([
		["warn", { err }, "it fails"],
		["info", { times: 1_000, seconds: 50 }, "it works again"],
	]);
});

test("a lasting failure is logged about once a minute, with its number", () => {
	const { clock, lines, incident } = watched();
	for (let times = 0; times <= 120; times++, clock.now += 1_000) incident.open(err);
	expect(lines.map(([, fields]) => fields)).toEqual([{ err }, { err, times: 61 }, { err, times: 121 }]);
});

test("a failure after the end is logged at once", () => {
	const { lines, incident } = watched();
	incident.open(err);
	incident.close();
	incident.open(err);
	expect(lines.map(([, , message]) => message)).toEqual(["it fails", "it works again", "it fails"]);
});

test("failures of some callers are logged once; the incident ends when no caller has failed for a while", () => {
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

test("a success without a failure is not logged", () => {
	const { lines, incident } = watched();
	incident.close();
	expect(lines).toEqual([]);
});
