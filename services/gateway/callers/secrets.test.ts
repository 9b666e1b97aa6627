import { describe, expect, test } from "vitest";
import { AppError } from "#libs/contract/errors.ts";
import { makeSecret } from "#libs/contract/key.ts";
import { bearerOf, readKey, withoutKey } from "./secrets.ts";

describe("the key of a request", () => {
	test.each([
		["X-API-Key", { "x-api-key": "pk_1" }, ""],
		["the query", {}, "state=TX&api_key=pk_1"],
		["an encoded name in the query", {}, "api%5Fkey=pk_1"],
		["a bearer token", { authorization: "Bearer pk_1" }, ""],
		["a bearer token in any case", { authorization: "bearer   pk_1 " }, ""],
		["two places, when it is the same", { "x-api-key": "pk_1", authorization: "Bearer pk_1" }, "api_key=pk_1"],
	])("is read from %s", (_where, headers, query) => {
		expect(readKey(headers, query)).toBe("pk_1");
	});

	test.each([
		["nothing", {}, "state=TX"],
		["credits", { authorization: "Bearer cr_1" }, ""],
		["a payment", { authorization: "Payment abc" }, ""],
		["another scheme", { authorization: "Basic abc" }, ""],
		["a name that only begins like it", {}, "api_keys=pk_1"],
	])("is not %s", (_what, headers, query) => {
		expect(readKey(headers, query)).toBeUndefined();
	});

	test.each([
		["empty", { "x-api-key": "" }, ""],
		["a bearer token without a token", { authorization: "Bearer" }, ""],
		["empty in the query", {}, "api_key="],
	])("that is %s counts as a key, an invalid one", (_what, headers, query) => {
		expect(readKey(headers, query)).toBe("");
	});

	test.each([
		[{ "x-api-key": "pk_1", authorization: "Bearer pk_2" }, ""],
		[{ "x-api-key": "pk_1" }, "api_key=pk_2"],
		[{}, "api_key=pk_1&api_key=pk_2"],
	])("may be sent only once", (headers, query) => {
		expect(() => readKey(headers, query)).toThrow(AppError);
	});
});

const key = makeSecret("pk_");

test.each([
	["Authorization without Bearer", { authorization: key }, ""],
	["another scheme", { authorization: `Token ${key}` }, ""],
	["another name in the query", {}, `apikey=${key}`],
])("a key in %s is refused with the right place to send it, and is not echoed", (_where, headers, query) => {
	expect(() => readKey(headers, query)).toThrow(/X-API-Key/);
	expect(() => readKey(headers, query)).not.toThrow(key);
});

test.each([
	["/projects", "/projects"],
	["/projects?api_key=pk_1", "/projects"],
	["/projects?state=TX&api_key=pk_1&page=2", "/projects?state=TX&page=2"],
	["/projects?api%5fkey=pk_1&state=T%20X", "/projects?state=T%20X"],
	["/projects?api_key=pk_1?x=1&state=TX", "/projects?state=TX"],
	["/projects?%zz=1", "/projects?%zz=1"],
])("%s is shown as %s", (url, shown) => {
	expect(withoutKey(url)).toBe(shown);
});

test("a scheme that merely begins with Bearer is a different scheme", () => {
	expect(bearerOf("Bearers pk_1")).toBeUndefined();
});
