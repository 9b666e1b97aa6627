/** Mistakes that `eids` finds by itself, without asking a service; test/api/cli.test.ts runs it as a process. */
import { expect, test, vi } from "vitest";
import { ApiError } from "../index.ts";
import { failureOf } from "./failures.ts";
import { run } from "./run.ts";

test.each([
	[["projets"], 'there is no command "projets"; did you mean projects?'],
	[["projects", "--staet", "TX"], "eids projects has no flag --staet; did you mean --state?"],
	[["projects", "--fields", "id,nmae"], '--fields: "nmae" is not a field; did you mean name?'],
	[["projects", "--output", "xml"], "--output must be one of table"],
	[["changes", "--follow", "--since-days", "3"], "--since-days cannot be combined with --follow"],
	[["export", "--out", "file.xls"], "one of .csv, .parquet"],
	[["score"], "usage: eids score ID"],
	[["watch", "3", "--email", "a@example.org", "--state", "TX"], "a watchlist, which has its own filters"],
	[["projects", "--url", "ftp://example.com"], '"ftp://example.com" is not a service address'],
	[["projects", "TX"], 'eids projects takes only flags, not "TX"'],
	[["projects", "--limit"], "--limit needs a value"],
	[["projects", "--limit", "-1"], "--limit must be a whole number, at least 1"],
] as const)("%s", async (args, said) => {
	const written: unknown[] = [];
	for (const stream of [process.stdout, process.stderr])
		vi.spyOn(stream, "write").mockImplementation((text) => written.push(text) > 0);
	expect(await run(args)).toBe(2);
	expect(written).toEqual([expect.stringContaining(said)]);
});

test.each([
	[429, "rate_limited", 5],
	[429, "quota_used_up", 3],
	[402, "payment_required", 3],
	[503, "unavailable", 5],
])("a refusal with status %d and code %s exits with %d", (status, code, exitCode) => {
	expect(failureOf(new ApiError(status, { status, code }, new Headers()), undefined).exitCode).toBe(exitCode);
});
