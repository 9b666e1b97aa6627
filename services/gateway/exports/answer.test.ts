import { expect, test } from "vitest";
import { rangeOf } from "./answer.ts";

test.each([
	["bytes=0-0", { first: 0, last: 0 }],
	["bytes=0-", { first: 0, last: 99 }],
	["bytes=90-200", { first: 90, last: 99 }],
	["Bytes = 5-9", { first: 5, last: 9 }],
	["bytes=-10", { first: 90, last: 99 }],
	["bytes=-1000", { first: 0, last: 99 }],
	["bytes=99-99", { first: 99, last: 99 }],
	["bytes=100-", "unsatisfiable"],
	["bytes=999999999999999-", "unsatisfiable"],
	["bytes=-0", "unsatisfiable"],
])("of a hundred bytes %s is %j", (header, range) => {
	expect(rangeOf(header, 100)).toEqual(range);
});

test.each([
	undefined,
	"",
	"bytes=-",
	"bytes=5-4",
	"bytes=0-1,5-6",
	"lines=0-1",
	"bytes=a-b",
	"bytes=0x1-2",
	"bytes=1e1-",
	"bytes=--1",
	`bytes=${"9".repeat(400)}-`,
])("%s is the whole file", (header) => {
	expect(rangeOf(header, 100)).toBeUndefined();
});

test("an empty file has no satisfiable range", () => {
	expect([rangeOf("bytes=0-", 0), rangeOf("bytes=-1", 0), rangeOf(undefined, 0)]).toEqual([
		"unsatisfiable",
		"unsatisfiable",
		undefined,
	]);
});
