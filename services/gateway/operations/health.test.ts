import { expect, test } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import { summarise } from "./health.ts";

type Pipeline = Reply<"listPipelines">["pipelines"][number];

const pipeline = (name: string, status: Pipeline["status"], lastSuccess: string | null): Pipeline => ({
	pipeline: name,
	last_success: lastSuccess,
	age_hours: lastSuccess === null ? null : 1,
	max_age_hours: 36,
	status,
	state: "ok",
});

test("stale pipelines and those without a success are named and counted; each verdict has its newest success", () => {
	const summary = summarise(
		[
			pipeline("PJM", "FRESH", "2026-07-20T10:00:00Z"),
			pipeline("SPP", "FRESH", "2026-07-20T10:00:00.5Z"),
			pipeline("MISO", "STALE", "2026-07-01T10:00:00Z"),
			pipeline("CAISO", "NEVER", null),
		],
		new Date("2026-07-20T12:00:00Z"),
	);
	expect(summary).toMatchObject({
		checked_at: "2026-07-20T12:00:00.000Z",
		stale: ["MISO"],
		never: ["CAISO"],
		stale_count: 1,
		never_count: 1,
		_status_dist: [
			{ status: "FRESH", n: 2, newest: "2026-07-20T10:00:00.5Z" },
			{ status: "STALE", n: 1, newest: "2026-07-01T10:00:00Z" },
			{ status: "NEVER", n: 1, newest: null },
		],
	});
	expect(operations.getFreshness.reply.parse(summary)).toEqual(summary);
});

test("a verdict without a pipeline is omitted", () => {
	expect(summarise([], new Date(0))).toMatchObject({ _status_dist: [], stale_count: 0, never_count: 0 });
});
