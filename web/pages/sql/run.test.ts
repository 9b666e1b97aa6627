import { expect, test } from "vitest";
import { csvOf } from "../../lib/text/csv.ts";
import { adjustPosition, describeRateLimit, errorPosition, offsetOf } from "./run.ts";
import { curlOf, fragmentOf, statementOf } from "./statement.ts";

test("the place of an error refers to the text as typed", () => {
	const typed = "\n  select region,\n\tcapacity_nw from projects";
	const message = adjustPosition("no such column (line 2, column 2)", typed);
	expect(message).toBe("no such column (line 3, column 2)");
	expect(typed.slice(offsetOf(typed, errorPosition(message) ?? { line: 0, column: 0 }))).toMatch(/^capacity_nw/);
	expect(adjustPosition("no such function (line 1, column 8)", typed)).toBe("no such function (line 2, column 10)");
	expect(adjustPosition("division by zero", typed)).toBe("division by zero");
});

test("columns of a place count characters, not code units", () => {
	const text = "select '\u{1f50c}', x";
	expect(text[offsetOf(text, { line: 1, column: 13 })]).toBe("x");
});

test("a link has the exact statement; links without one, or with too long a one, are ignored", () => {
	const statement = { sql: "select '#&+%\n\u{1f50c}'", database: "grid", view: "map" } as const;
	expect(statementOf(fragmentOf(statement))).toEqual(statement);
	expect(statementOf("#sql=select%201&view=none")).toEqual({ sql: "select 1", database: "master", view: "table" });
	expect(statementOf("")).toBeUndefined();
	expect(statementOf(`#sql=${"x".repeat(10_001)}`)).toBeUndefined();
});

test("CSV distinguishes NULL from empty text, and quotes if necessary", () => {
	const columns = [
		{ name: "a", type: "VARCHAR" },
		{ name: 'b "c"', type: "JSON" },
	];
	expect(
		csvOf({
			columns,
			rows: [
				["", null],
				["x,y\n", { z: [1] }],
			],
		}),
	).toBe('a,"b ""c"""\r\n"",\r\n"x,y\n","{""z"":[1]}"\r\n');
});

test("a statement cannot escape from its quotes in the shell", () => {
	const command = curlOf(
		{ sql: "select ''; $(id)", database: "master", view: "table" },
		{ origin: "http://a", hasKey: false },
	);
	expect(command).toContain(String.raw`"select '\'''\''; $(id)"`);
});

test("remaining limits are described in words", () =>
	expect(describeRateLimit('"minute";r=4;t=31, "month";r=1234;t=5')).toBe("4 this minute, 1,234 this month"));
