/**
 * Finds the developer that a number in another register belongs to: the one with exactly the same name. A similar name is not enough, nor is a
 * name of several developers, a name with several numbers, or a name that may be a parent's. Pure.
 */
import type { z } from "zod";
import type { registeredNumber } from "#libs/contract/operations/developers/developer.ts";
import type { IdentifierScheme } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { legalForms } from "#libs/names/words.ts";
export interface OwnName {
	developerId: number;
	name: string;
	kind: "canonical" | "alias";
	/** True for the curated register, false for a queue's own spelling. */
	known: boolean;
	/** The name is an ordinary word or the name of several companies. */
	ambiguous: boolean;
	/** The name in responses, and the parent if it is one company. */
	canonical: string;
	parent: string | null;
}

export interface Registered {
	scheme: IdentifierScheme;
	value: string;
	name: string;
	source: string;
	where: string;
	/** The company buys and sells power, so it may own no plants. */
	isTrader: boolean;
}

export interface Identified extends z.output<typeof registeredNumber> {
	developerId: number;
}

const confidences = { legal_name: 1, name: 0.95, alias: 0.95 } as const;

/** Registers that contain companies of all industries, and whole groups. */
const generalSchemes: ReadonlySet<IdentifierScheme> = new Set(["cik", "lei"]);

export type RegisterBook = ReadonlyMap<string, readonly Registered[]>;

/** The register by name. Callers cache it, because normalising ten thousand names takes longer than looking up the developers. */
export const registerBook = (registered: readonly Registered[]): RegisterBook =>
	Map.groupBy(registered, ({ name }) => keyOf(name));

/** The name without its legal form, but with text in brackets or after a dash: a holding company is not the company that it holds. */
function keyOf(name: string): string {
	const { fullKey, tails, alternates } = normaliseName(name);
	return [fullKey, ...tails.filter((word) => word !== "the" && !legalForms.has(word)), ...alternates]
		.join(" ")
		.toLowerCase();
}

const formOf = (name: string): string =>
	normaliseName(name)
		.tails.filter((word) => legalForms.has(word))
		.join(" ");

export function identify(names: readonly OwnName[], book: RegisterBook): Identified[] {
	const owners = new Map<string, OwnName | null>();
	for (const one of names) {
		const key = keyOf(one.name);
		if (key === "" || !book.has(key)) continue;
		const before = owners.get(key);
		if (before === undefined) owners.set(key, one);
		else if (before !== null && before.developerId !== one.developerId) owners.set(key, null);
		else if (before?.kind === "alias" && one.kind === "canonical") owners.set(key, one);
	}
	return [...owners].flatMap(([key, own]) => {
		if (own === null || own.ambiguous) return [];
		const schemes = Map.groupBy(book.get(key) ?? [], ({ scheme }) => scheme);
		return [...schemes.values()].flatMap(([one, ...others]) =>
			one === undefined || others.length > 0 || !isSameCompany(own, one, key) ? [] : describeMatch(own, one),
		);
	});
}

function isSameCompany({ name, kind, known, canonical, parent }: OwnName, one: Registered, key: string): boolean {
	const [own, other] = [formOf(name), formOf(one.name)];
	// A name that only queues use may be another company's: legal forms must not differ, and must be equal in a general register.
	if (!known && (one.isTrader || (own !== other && (generalSchemes.has(one.scheme) || (own !== "" && other !== "")))))
		return false;
	if (!known && generalSchemes.has(one.scheme) && !key.includes(" ")) return false;
	// An alias of a subsidiary may be the name of its group: "Occidental Petroleum" for its carbon business.
	const isSubsidiary = parent !== null && compactKey(parent) !== compactKey(canonical);
	return !(
		kind === "alias" &&
		isSubsidiary &&
		(generalSchemes.has(one.scheme) || compactKey(parent) === compactKey(name))
	);
}

const compactKey = (name: string): string => normaliseName(name).fullKey.replaceAll(" ", "");

function describeMatch(own: OwnName, { scheme, value, name, source, where }: Registered): Identified {
	const method = own.kind === "alias" ? "alias" : formOf(own.name) === formOf(name) ? "legal_name" : "name";
	const evidence = `${where}: ${name}${method === "alias" ? `, which is ${own.name} of the register` : ""}`;
	return { scheme, value, developerId: own.developerId, method, confidence: confidences[method], evidence, source };
}
