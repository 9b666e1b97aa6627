/** A mapped value is used only where the adapter does not recognise the filed one. */
import { describe, expect, test } from "vitest";
import { Collector } from "../../sources/collector.ts";
import { standardTechnology } from "../../sources/technology.ts";
import { isTarget, type MappedWord, targetsOf } from "../../sources/vocabulary.ts";
import { sources } from "./index.ts";

const mapping = (field: string, word: string, means: string): MappedWord => ({
	...{ id: 1, field, word, means },
	...{ author: "A. Person", on: "2026-01-05" },
});
const reported = (collector: Collector) => collector.parsed({ publishedOn: null }).unknownValues;

describe("a value", () => {
	const statuses = new Set(["active", "withdrawn"]);
	test("that the adapter defines is not mapped", () => {
		const collector = new Collector([mapping("status", "Active", "Withdrawn")]);
		expect(collector.word("status", "ACTIVE", statuses)).toBe("ACTIVE");
	});
	test("that is unknown is read as the value it is mapped to, only in its column", () => {
		const collector = new Collector([mapping("status", "Gone", "Withdrawn")]);
		expect(collector.word("status", "gone ", statuses)).toBe("Withdrawn");
		expect(reported(collector)).toEqual([]);
		expect(collector.word("phase", "Gone", statuses)).toBe("Gone");
		expect(reported(collector)).toEqual([{ field: "phase", value: "Gone", count: 1 }]);
	});
	test("that is mapped to a value which the adapter no longer defines is unknown", () => {
		const collector = new Collector([mapping("status", "Gone", "Annulled")]);
		expect(collector.word("status", "Gone", statuses)).toBe("Gone");
		expect(reported(collector)).toEqual([{ field: "status", value: "Gone", count: 1 }]);
	});
});

test("a part of a technology is read as mapped, beside the parts that are known", () => {
	const collector = new Collector([mapping("type", "Sunroof", "Solar"), mapping("type", "Battery", "Wind")]);
	const read = (filed: string) => collector.technology("type", (mapped) => standardTechnology(filed, { ...mapped }));
	expect(read("Sunroof; Battery")).toBe("Solar + Storage");
	expect(read("Tidal; Battery")).toBe("Storage");
	expect(reported(collector)).toEqual([{ field: "type", value: "Tidal", count: 1 }]);
});

test.each(sources.map((source) => [source.feed, source.words ?? {}] as const))(
	"each word that %s offers can be mapped to",
	(_feed, words) => {
		for (const known of Object.values(words))
			for (const target of targetsOf(known))
				if (!["n/a", "none"].includes(target)) expect(isTarget(known, target)).toBe(true);
	},
);
