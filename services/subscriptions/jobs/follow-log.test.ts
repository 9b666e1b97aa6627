import { describe, expect, test } from "vitest";
import type { LoggedChange } from "#libs/bus/requests/change-log.ts";
import { foldChanges } from "./follow-log.ts";

const filters = { state: ["TX"], population: "transmission" as const };
const of = (seq: number, project_id: string | null, state: string | null): LoggedChange =>
	({
		seq,
		project_id,
		project:
			state === null
				? null
				: ({ id: project_id, state, kind: "generation", listed: "listed" } as NonNullable<LoggedChange["project"]>),
	}) as LoggedChange;

describe("a page of the log", () => {
	test("adds an entry for each request that enters, stays or leaves", () => {
		const states = [
			["a", "TX"],
			["a", "TX"],
			["b", "OK"],
			["a", "OK"],
			["a", "NM"],
			["a", "TX"],
		] as const;
		const { entries, members } = foldChanges(
			filters,
			states.map(([id, state], at) => of(at + 1, id, state)),
			new Set(),
		);
		expect(entries.map(({ seq, event }) => [seq, event])).toEqual([
			[1, "entered"],
			[2, null],
			[4, "left"],
			[6, "entered"],
		]);
		expect([...members]).toEqual(["a"]);
	});

	test("keeps a member whose request is not known, and adds no such request", () => {
		const { entries, members } = foldChanges(
			filters,
			[of(1, "a", null), of(2, "b", null), of(3, null, null)],
			new Set(["a"]),
		);
		expect(entries).toEqual([{ seq: 1, project_id: "a", event: null }]);
		expect([...members]).toEqual(["a"]);
	});
});
