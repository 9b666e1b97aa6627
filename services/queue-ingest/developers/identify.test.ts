import { expect, it } from "vitest";
import { createRegisterBook, type DeveloperName, identify, type RegisterEntry } from "./identify.ts";

const own = (name: string, more: Partial<DeveloperName> = {}): DeveloperName => ({
	developerId: 1,
	name,
	kind: "canonical",
	known: true,
	ambiguous: false,
	canonical: name,
	parent: null,
	...more,
});
const registered = (name: string, more: Partial<RegisterEntry> = {}): RegisterEntry => ({
	scheme: "cik",
	value: "7",
	name,
	source: "a_list",
	where: "A list",
	isTrader: false,
	...more,
});
const methods = (names: DeveloperName[], ...registered: RegisterEntry[]) =>
	identify(names, createRegisterBook(registered)).map(({ developerId, value, method }) => [developerId, value, method]);

it("a name equal to the developer's identifies it, and states whether the legal form is equal", () => {
	expect(methods([own("Quail Energy Inc")], registered("QUAIL ENERGY, INC."))).toEqual([[1, "7", "legal_name"]]);
	expect(methods([own("Quail Energy")], registered("Quail Energy Corp"))).toEqual([[1, "7", "name"]]);
	expect(methods([own("Quail", { kind: "alias", canonical: "Quail Energy" })], registered("Quail"))).toEqual([
		[1, "7", "alias"],
	]);
});

it("a similar name, or the name of a holding, does not identify it", () => {
	for (const name of [
		"Quail Energy Services",
		"Quail Energy Holdings Inc",
		"Quail Energies",
		"Quail Energy (Ohio) LLC",
	])
		expect([name, methods([own("Quail Energy")], registered(name))]).toEqual([name, []]);
});

it("a name of two developers, or with two numbers, identifies none", () => {
	expect(methods([own("Quail"), own("Quail", { developerId: 2, kind: "alias" })], registered("Quail"))).toEqual([]);
	expect(methods([own("Quail")], registered("Quail"), registered("Quail", { value: "8" }))).toEqual([]);
	expect(methods([own("Quail", { ambiguous: true })], registered("Quail"))).toEqual([]);
});

it("the number of a group is not the number of its subsidiary", () => {
	const alias = { kind: "alias", canonical: "Quail Renewables", parent: "Quail" } as const;
	expect(methods([own("Quail", alias)], registered("Quail SE", { scheme: "eia_entity" }))).toEqual([]);
	expect(methods([own("Quail Power", alias)], registered("Quail Power Corp"))).toEqual([]);
	expect(methods([own("Quail Power", alias)], registered("Quail Power Corp", { scheme: "eia_entity" }))).toHaveLength(
		1,
	);
	expect(methods([own("Quail Power", { ...alias, canonical: "Quail" })], registered("Quail Power Corp"))).toHaveLength(
		1,
	);
});

it("a company named only by a queue must also match by legal form, and must not be a power trader", () => {
	const queue = { known: false };
	expect(methods([own("Quail Energy LLC", queue)], registered("Quail Energy Inc", { scheme: "eia_utility" }))).toEqual(
		[],
	);
	expect(methods([own("Quail Energy", queue)], registered("Quail Energy LLC"))).toEqual([]);
	expect(methods([own("Quail Inc", queue)], registered("Quail Inc"))).toEqual([]);
	const utility = { scheme: "eia_utility" } as const;
	expect(methods([own("Quail Energy", queue)], registered("Quail Energy LLC", utility))).toHaveLength(1);
	expect(methods([own("Quail Energy", queue)], registered("Quail Energy", { ...utility, isTrader: true }))).toEqual([]);
});
