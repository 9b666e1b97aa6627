import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "#libs/contract/index.ts";
import { guides } from "../../services/gateway/documents/guides.ts";
import { openapiDocument } from "../../services/gateway/documents/openapi/openapi.ts";
import { groupsOf, type OpenapiDocument } from "../../web/pages/docs/document.ts";
import { buildIndex, searchIndex } from "../../web/pages/docs/search.ts";

const endpoints = groupsOf(openapiDocument() as unknown as OpenapiDocument).flatMap((group) => group.endpoints);
const index = buildIndex(endpoints, guides);
const first = (typed: string) => {
	const [entry] = searchIndex(index, typed);
	return entry && `${entry.address}${entry.part === undefined ? "" : ` ${entry.part.name}`}`;
};

test("every operation over HTTP is an endpoint of one group", () => {
	const declared = Object.entries(operations).flatMap(([name, operation]) => ("http" in operation ? [name] : []));
	expect(endpoints.map(({ id }) => id).sort()).toEqual(declared.sort());
});

test.each([
	["listChanges", "#listChanges"],
	["/query/schema", "#getQuerySchema"],
	["distress", "#summariseEvents top_developers[].distress"],
	["capital leaderboard", "#getCapitalLeaderboard"],
	["since_days", "#listChanges since_days"],
	["suspension", "/docs/glossary#suspension suspension"],
	["pandas", "/docs/guides/files"],
])("%s finds %s first", (typed, name) => expect(first(typed)).toBe(name));

test("unknown words and an empty search find nothing", () => {
	expect(searchIndex(index, "listChanges zebra")).toEqual([]);
	expect(searchIndex(index, "  ")).toEqual([]);
});

test("a field is found by its description, with its unit", () => {
	const [entry] = searchIndex(index, "net metering");
	expect(z.string().parse(entry?.text ?? entry?.name)).toContain("net metering");
});
