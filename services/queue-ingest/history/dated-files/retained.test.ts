import { expect, test } from "vitest";
import { type ArchiveFile, archiveLimits } from "#libs/contract/exports/archive.ts";
import { findMissingDays, selectFilesToKeep } from "./retained.ts";

const file = (series: "full" | "delta", day: string, bytes = 1): ArchiveFile => ({
	name: `projects/${series}/${series === "full" ? day.slice(0, 7) : day}.parquet`,
	dataset: "projects",
	series,
	day,
	after_seq: series === "full" ? null : 0,
	seq: 1,
	rows: 1,
	bytes,
	sha256: "a".repeat(64),
	schema_version: "1.0",
	made_at: `${day}T23:59:59Z`,
});
const limits = { ...archiveLimits, fulls: 2, deltaDays: 30, bytes: 100 };
const of = (files: ArchiveFile[]) => files.map(({ series, day }) => `${series} ${day}`);

test("daily files are kept for their number of days, monthly files for their number of months", () => {
	const files = [
		file("full", "2026-01-01"),
		file("delta", "2026-01-31"),
		file("full", "2026-02-01"),
		file("delta", "2026-02-01"),
		file("delta", "2026-02-02"),
		file("full", "2026-03-01"),
	];
	expect(of(selectFilesToKeep(files, "2026-03-03", limits))).toEqual([
		"delta 2026-02-01",
		"full 2026-02-01",
		"delta 2026-02-02",
		"full 2026-03-01",
	]);
});

test("the oldest files are deleted beyond the limit of bytes, but never the newest day", () => {
	const files = [file("full", "2026-02-01", 60), file("delta", "2026-02-02", 30), file("delta", "2026-02-03", 20)];
	expect(of(selectFilesToKeep(files, "2026-02-04", limits))).toEqual(["delta 2026-02-02", "delta 2026-02-03"]);
	const large = [file("full", "2026-02-01", 60), file("delta", "2026-02-03", 200)];
	expect(of(selectFilesToKeep(large, "2026-02-04", limits))).toEqual(["delta 2026-02-03"]);
});

test("missing days have ended and begin after the last archived day", () => {
	const at = (time: string) => findMissingDays([file("delta", "2026-02-26")], new Date(time));
	expect(at("2026-02-27T23:59:59Z")).toEqual([]);
	expect(at("2026-03-02T00:00:00Z")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
	expect(findMissingDays([], new Date("2026-03-02T12:00:00Z"))).toEqual(["2026-03-01"]);
	expect(findMissingDays([file("delta", "2020-01-01")], new Date("2026-03-02T12:00:00Z"))).toHaveLength(
		archiveLimits.deltaDays,
	);
});
