/**
 * Finds the developer that a number in another register belongs to: the one with exactly the same name. Does not match similar names, names of
 * several developers, names with several numbers, or names that may be a parent's. Pure.
 */
import type { z } from "zod";
import type { registeredNumber } from "#libs/contract/operations/developers/developer.ts";
import type { IdentifierScheme } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { legalForms } from "#libs/names/words.ts";
export interface DeveloperName {
	developerId: number;
	name: string;
	kind: "canonical" | "alias";
	/** True for a developer of the curated register, false for one known only from queues. */
	known: boolean;
	/** The name is an ordinary word or the name of several companies. */
	ambiguous: boolean;
	/** Name in responses. */
	canonical: string;
	/** Null if the parent is not exactly one company. */
	parent: string | null;
}

export interface RegisterEntry {
	scheme: IdentifierScheme;
	value: string;
	name: string;
	source: string;
	where: string;
	/** The company buys and sells power, so it may own no plants. */
	isTrader: boolean;
}

export interface DeveloperIdentifier extends z.output<typeof registeredNumber> {
	developerId: number;
}

const confidences = { legal_name: 1, name: 0.95, alias: 0.95 } as const;

/** Registers that contain companies of all industries, and whole groups. */
const generalSchemes: ReadonlySet<IdentifierScheme> = new Set(["cik", "lei"]);

export type RegisterBook = ReadonlyMap<string, readonly RegisterEntry[]>;

/** Indexes the registers by name. Callers cache the result, because normalizing ten thousand names takes longer than looking up developers. */
export const createRegisterBook = (registered: readonly RegisterEntry[]): RegisterBook =>
	Map.groupBy(registered, ({ name }) => registerKey(name));

/** Key without the legal form, but with text in brackets or after a dash, because a holding company is not the company that it holds. */
function registerKey(name: string): string {
	const { fullKey, tails, alternates } = normaliseName(name);
	return [fullKey, ...tails.filter((word) => word !== "the" && !legalForms.has(word)), ...alternates]
		.join(" ")
		.toLowerCase();
}

const legalFormOf = (name: string): string =>
	normaliseName(name)
		.tails.filter((word) => legalForms.has(word))
		.join(" ");

export function identify(names: readonly DeveloperName[], book: RegisterBook): DeveloperIdentifier[] {
	const owners = new Map<string, DeveloperName | null>();
	for (const one of names) {
		const key = registerKey(one.name);
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

function isSameCompany(
	{ name, kind, known, canonical, parent }: DeveloperName,
	one: RegisterEntry,
	key: string,
): boolean {
	const [own, other] = [legalFormOf(name), legalFormOf(one.name)];
	// A name known only from queues may belong to a different company: legal forms must not differ, and must be equal in a general register.
	if (!known && (one.isTrader || (own !== other && (generalSchemes.has(one.scheme) || (own !== "" && other !== "")))))
		return false;
	if (!known && generalSchemes.has(one.scheme) && !key.includes(" ")) return false;
	// An alias of a subsidiary may be the name of its group: "Occidental Petroleum" is an alias of its carbon business.
	const isSubsidiary = parent !== null && compactKey(parent) !== compactKey(canonical);
	return !(
		kind === "alias" &&
		isSubsidiary &&
		(generalSchemes.has(one.scheme) || compactKey(parent) === compactKey(name))
	);
}

const compactKey = (name: string): string => normaliseName(name).fullKey.replaceAll(" ", "");

function describeMatch(own: DeveloperName, { scheme, value, name, source, where }: RegisterEntry): DeveloperIdentifier {
	const method = own.kind === "alias" ? "alias" : legalFormOf(own.name) === legalFormOf(name) ? "legal_name" : "name";
	const evidence = `${where}: ${name}${method === "alias" ? `, which is ${own.name} of the register` : ""}`;
	return { scheme, value, developerId: own.developerId, method, confidence: confidences[method], evidence, source };
}
