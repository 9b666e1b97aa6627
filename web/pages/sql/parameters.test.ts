import { expect, test } from "vitest";
import { namesOf, parameterOf, savedQueryAddress } from "./parameters.ts";

test("parameters are found in the statement, not in its strings, quoted names and comments", () => {
	expect(namesOf("select $state, $least_mw, $state from t where a = '$no' and b = 'it''s $no'")).toEqual([
		"state",
		"least_mw",
	]);
	expect(namesOf('select "$no" -- $no\n/* $no */, $$ $no $$, $t$ $no $t$, x$no, $1, $yes::date')).toEqual(["yes"]);
	expect(namesOf("select 1")).toEqual([]);
});

test("a default has the declared type, or remains text", () => {
	expect(parameterOf("a", { type: "number", initial: "50.5" })).toEqual({ name: "a", type: "number", default: 50.5 });
	expect(parameterOf("a", { type: "number", initial: "many" })).toEqual({ name: "a", type: "number", default: "many" });
	expect(parameterOf("a", { type: "boolean", initial: "false" })).toEqual({
		name: "a",
		type: "boolean",
		default: false,
	});
	expect(parameterOf("a", { type: "text", initial: "50" })).toEqual({ name: "a", type: "text", default: "50" });
	expect(parameterOf("a", { type: "date", initial: "" })).toEqual({ name: "a", type: "date" });
});

test("the address has an empty value for each parameter without a default", () => {
	const parameters = [{ name: "state" }, { name: "least_mw", default: 50 }, { name: "day" }];
	expect(savedQueryAddress("https://x.test", 7, parameters)).toBe("https://x.test/queries/7/run?state=&day=");
	expect(savedQueryAddress("https://x.test", 7, [])).toBe("https://x.test/queries/7/run");
});
