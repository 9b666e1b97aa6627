import { describe, expect, it } from "vitest";
import { createResolver } from "#libs/names/resolve.ts";
import { matchIssuer, ProjectNames } from "./match-issuer.ts";

const names = { ambiguous: false, aliases: [], prefixes: [] };
const { resolve } = createResolver([
	{ id: 1, canonical: "Silicon Ranch", ...names },
	{ id: 2, canonical: "Avantus", ...names, aliases: [{ alias: "8minute Solar Energy", ambiguous: false }] },
	{ id: 3, canonical: "Pattern Energy", ...names, ambiguous: true },
]);
const headquarters: Record<number, string> = { 1: "TN", 2: "CA", 3: "CA" };
const projects = new ProjectNames([
	{ name: "Blue Jay Solar II", developer_id: 1 },
	{ name: "Blue Jay Solar II, LLC", developer_id: 1 },
	{ name: "Twin Forks Wind", developer_id: 1 },
	{ name: "Twin Forks Wind", developer_id: 2 },
	{ name: "Solar", developer_id: 2 },
	{ name: "Lone Mesa Storage", developer_id: null },
]);
const match = (issuer_name: string, issuer_state: string | null = null, previous_names: string[] = []) =>
	matchIssuer(
		{ issuer_name, issuer_state, previous_names },
		(name) => resolve(name, "any company"),
		(id) => headquarters[id] ?? null,
		projects,
	);

describe("the issuer of an offering", () => {
	it.each([
		["Silicon Ranch Corporation", "GA", 1, "developer_exact"],
		["Avantus, LLC", "CA", 2, "developer_exact"],
		["Blue Jay Solar II, LLC", "DE", 1, "project_name"],
	])("%s of %s is matched", (name, state, id, method) => {
		expect(match(name, state)).toMatchObject({ developer_id: id, match_method: method });
	});

	it.each([
		["Avantus, LLC", "FL"],
		["Avantus, LLC", null],
		["Pattern Capital LLC", "NY"],
		["Apex Energy Fund LP", "TX"],
		["Solar LLC", "TX"],
		["Twin Forks Wind LLC", "TX"],
		["", null],
	])("%s of %s is not matched", (name, state) => {
		expect(match(name, state)).toMatchObject({ developer_id: null, project_name: null, match_method: "none" });
	});

	it("is matched by a previous name if its own does not match", () => {
		expect(match("Sunny Tomorrow Inc", "CA", ["8minute Solar Energy LLC"])).toMatchObject({
			developer_id: 2,
			match_method: "developer_alias",
		});
	});

	it("can match a project whose developer is unknown", () => {
		expect(match("Lone Mesa Storage, LLC")).toEqual({
			developer_id: null,
			project_name: "Lone Mesa Storage",
			match_method: "project_name",
			match_confidence: 0.8,
			matched_text: "Lone Mesa Storage",
		});
	});
});
