/**
 * Finds the developer behind a company that the EIA's forms name: by its name, else by the address for its notices. A project's company has
 * its sponsor's address, but so do all tenants of the same building, so an address needs a second fact. Pure.
 */
import { normaliseName } from "#libs/names/normalise.ts";
import type { Resolution } from "#libs/names/resolve.ts";

export interface Notice {
	name: string;
	street: string | null;
	zip: string | null;
}

export interface Company {
	developerId: number;
	method: "name" | "care_of" | "notice_address" | "alias_in_name";
	confidence: number;
	evidence: string;
}

export interface CompanyBook {
	find(name: string): Company | undefined;
}

const confidences = { care_of: 0.95, alias_in_name: 0.9, notice_address: 0.88 } as const;

/** This share of the developers' names at an address must belong to one developer. */
const oneDeveloper = 0.9;
/** The second fact: this many names of the developer have the address, or the EIA names the developer for a plant of the company. */
const enoughNames = 2;

/** Addresses of registered agents, at which unrelated companies receive notices. */
const agents =
	/\b(1209 (n )?orange|251 little falls|2711 centerville|1999 bryan|211 (e|east) 7th|160 greentree|850 new burton|1201 (n )?market|1013 centre|108 lakeland|8 the green|3500 s(outh)? dupont)\b/;

/** "Union Electric Co - (MO)" */
const stateSuffix = /\s+-\s+\([A-Z]{2}\)$/;

type Found = Extract<Resolution, { kind: "matched" }>;

export interface CompanyFacts {
	notices: readonly Notice[];
	/** One-word aliases that are not ordinary words and that only one developer has ("8me"). */
	aliases: ReadonlyMap<string, number>;
	/** Names of all companies that the EIA names for the plants of a company, by the full key of its name. */
	partners: ReadonlyMap<string, ReadonlySet<string>>;
}

export function companyBook(
	{ notices, aliases, partners }: CompanyFacts,
	resolve: (name: string) => Resolution,
): CompanyBook {
	const known = new Map<string, Found | null>();
	const resolveCached = (name: string): Found | null => {
		const cached = known.get(name);
		if (cached !== undefined) return cached;
		const resolution = resolve(name.replace(stateSuffix, ""));
		const found = resolution.kind === "matched" ? resolution : null;
		known.set(name, found);
		return found;
	};
	const byName = new Map(notices.map((notice) => [normaliseName(notice.name).fullKey, notice]));
	const addresses = findAddressOwners(notices, resolveCached);
	return {
		find: (name) => {
			const direct = resolveCached(name);
			if (direct !== null) {
				const { developerId, confidence, matchedText } = direct;
				return { developerId, method: "name", confidence, evidence: `the name ${name} matches ${matchedText}` };
			}
			const keys = normaliseName(name);
			const marked = keys.words.slice(1).find((word) => aliases.has(word));
			if (marked !== undefined)
				return foundCompany("alias_in_name", aliases.get(marked) ?? 0, `"${marked}" in the name ${name}`);
			const notice = byName.get(keys.fullKey);
			if (notice === undefined) return undefined;
			const sponsor = careOf(notice.street);
			const addressee = sponsor === null ? null : resolveCached(sponsor);
			if (addressee !== null)
				return foundCompany("care_of", addressee.developerId, `notices of ${name} go care of ${sponsor}`);
			const owner = addresses.get(addressKey(notice) ?? "");
			if (owner === undefined) return undefined;
			const { developerId, names } = owner;
			const partner = [...(partners.get(keys.fullKey) ?? [])].find(
				(one) => resolveCached(one)?.developerId === developerId,
			);
			if (names.length < enoughNames && partner === undefined) return undefined;
			const second =
				partner === undefined
					? names.slice(0, enoughNames).join(" and ")
					: `${names[0]}; the EIA names ${partner} for its plant, too`;
			return foundCompany(
				"notice_address",
				developerId,
				`notices of ${name} go to ${notice.street}, as those of ${second}`,
			);
		},
	};
}

const foundCompany = (method: keyof typeof confidences, developerId: number, evidence: string): Company => ({
	developerId,
	method,
	confidence: confidences[method],
	evidence,
});

/** "Intersect Power, LLC" in "c/o Intersect Power, LLC 9450". */
function careOf(street: string | null): string | null {
	const found = /^\s*(?:c\/o|care of|attn:?)\s+(.+?)(?:\s+\d.*)?$/i.exec(street ?? "")?.[1];
	return found === undefined || found.length < 3 ? null : found;
}

/** The developer of each address, by the companies there that have a developer's name. */
function findAddressOwners(
	notices: readonly Notice[],
	resolveCached: (name: string) => Found | null,
): Map<string, { developerId: number; names: string[] }> {
	const known = notices.flatMap((notice) => {
		const key = addressKey(notice);
		const found = key === null ? null : resolveCached(notice.name);
		return key === null || found === null ? [] : [{ key, name: notice.name, found }];
	});
	const owners = new Map<string, { developerId: number; names: string[] }>();
	for (const [key, all] of Map.groupBy(known, ({ key }) => key)) {
		const developers = Map.groupBy(all, ({ found }) => found.developerId);
		const [most] = [...developers].sort(([, a], [, b]) => b.length - a.length);
		if (most === undefined) continue;
		const [developerId, own] = most;
		const names = new Map(own.map(({ name }) => [normaliseName(name).fullKey, name]));
		if (own.length >= oneDeveloper * all.length) owners.set(key, { developerId, names: [...names.values()] });
	}
	return owners;
}

const abbreviations = new Map(
	Object.entries({
		...{ street: "st", avenue: "ave", boulevard: "blvd", drive: "dr", road: "rd", floor: "fl", suite: "ste" },
		...{ north: "n", south: "s", east: "e", west: "w", highway: "hwy", plaza: "plz", place: "pl" },
		parkway: "pkwy",
	}),
);

export function addressKey({ street, zip }: Pick<Notice, "street" | "zip">): string | null {
	const words = (street ?? "")
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "")
		.map((word) => abbreviations.get(word) ?? word);
	const line = words.join(" ");
	const code = (zip ?? "").slice(0, 5);
	if (words.length < 2 || code === "" || agents.test(line)) return null;
	return `${line} ${code}`;
}
