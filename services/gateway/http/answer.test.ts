import { expect, test } from "vitest";
import { z } from "zod";
import { operation } from "#libs/contract/operation.ts";
import { headersOf } from "./answer.ts";

const declared = { owner: "gateway", summary: "", params: z.strictObject({}), reply: z.unknown() } as const;
const http = { method: "GET", path: "/old", price: "free" } as const;

test("a deprecated operation states its dates and its replacement", () => {
	const deprecated = { since: "2026-12-01", sunset: "2027-07-01", successor: "/new" } as const;
	expect(headersOf(operation({ ...declared, http: { ...http, deprecated } }))).toMatchObject({
		deprecation: `@${Date.UTC(2026, 11, 1) / 1_000}`,
		sunset: "Thu, 01 Jul 2027 00:00:00 GMT",
		link: '</new>; rel="successor-version"',
	});
	expect(Object.keys(headersOf(operation({ ...declared, http })))).toEqual(["content-type"]);
});
