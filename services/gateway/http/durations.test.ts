import { Histogram, Registry, register } from "prom-client";
import { expect, test } from "vitest";
import { Durations } from "./durations.ts";

const observed: [string, number, number][] = [
	["listProjects", 200, 0.0004],
	["listProjects", 200, 0.001],
	["listProjects", 200, 0.0011],
	["listProjects", 204, 0.3],
	["listProjects", 404, 2.5],
	["listProjects", 499, 30],
	["getProject", 503, 31],
];

test("reports the same values as prom-client's histogram of the same requests", async () => {
	const durations = new Durations();
	const registry = new Registry();
	const theirs = new Histogram({
		name: "http_request_seconds",
		help: "Time from a request's arrival to the end of its answer, by operation and class of status.",
		labelNames: ["operation", "status_class"],
		buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
		registers: [registry],
	});
	for (const [operation, status, seconds] of observed) {
		durations.record(operation, status, seconds);
		theirs.observe({ operation, status_class: `${Math.floor(status / 100)}xx` }, seconds);
	}
	expect(await register.getSingleMetricAsString("http_request_seconds")).toBe(
		await registry.getSingleMetricAsString("http_request_seconds"),
	);
	expect((await theirs.get()).values).toMatchObject((await durations.get()).values);
});
