import { expect, it } from "vitest";
import { identify, type OwnName, type Registered, registerBook } from "./identify.ts";

const own = (name: string, more: Partial<OwnName> = {}): OwnName => ({
	developerId: 1,
	name,
	kind: "canonical",
	known: true,
	ambiguous: false,
	canonical: name,
	parent: null,
	...more,
});
const said = (name: string, more: Partial<Registered> = {}): Registered => ({
	scheme: "cik",
	value: "7",
	name,
	source: "a_list",
	where: "A list",
	isTrader: false,
	...more,
});
const methods = (names: OwnName[], ...registered: Registered[]) =>
	identify(names, registerBook(registered)).map(({ developerId, value, method }) => [developerId, value, method]);

it("a name that is exactly the developer's identifies it, and says whether the legal form is the same", () => {
	expect(methods([own("Quail Energy Inc")], said("QUAIL ENERGY, INC."))).toEqual([[1, "7", "legal_name"]]);
	expect(methods([own("Quail Energy")], said("Quail Energy Corp"))).toEqual([[1, "7", "name"]]);
	expect(methods([own("Quail", { kind: "alias", canonical: "Quail Energy" })], said("Quail"))).toEqual([
		[1, "7", "alias"],
	]);
});

it("a name that is only alike, or a holding's, does not", () => {
	for (const name of [
		"Quail Energy Services",
		"Quail Energy Holdings Inc",
		"Quail Energies",
		"Quail Energy (Ohio) LLC",
	])
		expect([name, methods([own("Quail Energy")], said(name))]).toEqual([name, []]);
});

it("a name of two developers, and one that two numbers have, says nothing", () => {
	expect(methods([own("Quail"), own("Quail", { developerId: 2, kind: "alias" })], said("Quail"))).toEqual([]);
	expect(methods([own("Quail")], said("Quail"), said("Quail", { value: "8" }))).toEqual([]);
	expect(methods([own("Quail", { ambiguous: true })], said("Quail"))).toEqual([]);
});

it("the number of a group is not that of a business of it", () => {
	const alias = { kind: "alias", canonical: "Quail Renewables", parent: "Quail" } as const;
	expect(methods([own("Quail", alias)], said("Quail SE", { scheme: "eia_entity" }))).toEqual([]);
	expect(methods([own("Quail Power", alias)], said("Quail Power Corp"))).toEqual([]);
	expect(methods([own("Quail Power", alias)], said("Quail Power Corp", { scheme: "eia_entity" }))).toHaveLength(1);
	expect(methods([own("Quail Power", { ...alias, canonical: "Quail" })], said("Quail Power Corp"))).toHaveLength(1);
});

it("a company that only a queue names needs its legal form too, and is no trader of power", () => {
	const queue = { known: false };
	expect(methods([own("Quail Energy LLC", queue)], said("Quail Energy Inc", { scheme: "eia_utility" }))).toEqual([]);
	expect(methods([own("Quail Energy", queue)], said("Quail Energy LLC"))).toEqual([]);
	expect(methods([own("Quail Inc", queue)], said("Quail Inc"))).toEqual([]);
	const utility = { scheme: "eia_utility" } as const;
	expect(methods([own("Quail Energy", queue)], said("Quail Energy LLC", utility))).toHaveLength(1);
	expect(methods([own("Quail Energy", queue)], said("Quail Energy", { ...utility, isTrader: true }))).toEqual([]);
});
