/**
 * Finds the developer behind a company named in EIA forms: by the company's name, else by its address for notices. A project company has its
 * sponsor's address, but so do other tenants of the building: a match by address needs a second fact. Pure.
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

/** Minimum share of the names at an address that must belong to one developer. */
const minDeveloperShare = 0.9;
/** Minimum names of the developer at an address. One suffices if the EIA also names the developer for a plant of the company. */
const minDeveloperNames = 2;

/** Addresses of registered agents, at which unrelated companies receive notices. */
const agentAddresses =
	/\b(1209 (n )?orange|251 little falls|2711 centerville|1999 bryan|211 (e|east) 7th|160 greentree|850 new burton|1201 (n )?market|1013 centre|108 lakeland|8 the green|3500 s(outh)? dupont)\b/;

/** "Union Electric Co - (MO)" */
const stateSuffix = /\s+-\s+\([A-Z]{2}\)$/;

type Match = Extract<Resolution, { kind: "matched" }>;

export interface CompanyFacts {
	notices: readonly Notice[];
	/** One-word aliases that are not ordinary words and that only one developer has ("8me"). */
	aliases: ReadonlyMap<string, number>;
	/** Names of all companies that the EIA names for the plants of a company, by the full key of that company's name. */
	partners: ReadonlyMap<string, ReadonlySet<string>>;
}

export function createCompanyBook(
	{ notices, aliases, partners }: CompanyFacts,
	resolve: (name: string) => Resolution,
): CompanyBook {
	const resolved = new Map<string, Match | null>();
	const resolveCached = (name: string): Match | null => {
		const cached = resolved.get(name);
		if (cached !== undefined) return cached;
		const resolution = resolve(name.replace(stateSuffix, ""));
		const match = resolution.kind === "matched" ? resolution : null;
		resolved.set(name, match);
		return match;
	};
	const byName = new Map(notices.map((notice) => [normaliseName(notice.name).fullKey, notice]));
	const addresses = findAddressOwners(notices, resolveCached);
	return {
		find: (name) => {
			const match = resolveCached(name);
			if (match !== null) {
				const { developerId, confidence, matchedText } = match;
				return { developerId, method: "name", confidence, evidence: `the name ${name} matches ${matchedText}` };
			}
			const keys = normaliseName(name);
			const marked = keys.words.slice(1).find((word) => aliases.has(word));
			if (marked !== undefined)
				return createCompany("alias_in_name", aliases.get(marked) ?? 0, `"${marked}" in the name ${name}`);
			const notice = byName.get(keys.fullKey);
			if (notice === undefined) return undefined;
			const sponsor = parseCareOf(notice.street);
			const addressee = sponsor === null ? null : resolveCached(sponsor);
			if (addressee !== null)
				return createCompany("care_of", addressee.developerId, `notices of ${name} go care of ${sponsor}`);
			const owner = addresses.get(addressKey(notice) ?? "");
			if (owner === undefined) return undefined;
			const { developerId, names } = owner;
			const partner = [...(partners.get(keys.fullKey) ?? [])].find(
				(candidate) => resolveCached(candidate)?.developerId === developerId,
			);
			if (names.length < minDeveloperNames && partner === undefined) return undefined;
			const secondFact =
				partner === undefined
					? names.slice(0, minDeveloperNames).join(" and ")
					: `${names[0]}; the EIA names ${partner} for its plant, too`;
			return createCompany(
				"notice_address",
				developerId,
				`notices of ${name} go to ${notice.street}, as those of ${secondFact}`,
			);
		},
	};
}

const createCompany = (method: keyof typeof confidences, developerId: number, evidence: string): Company => ({
	developerId,
	method,
	confidence: confidences[method],
	evidence,
});

/** Returns "Intersect Power, LLC" for "c/o Intersect Power, LLC 9450". */
function parseCareOf(street: string | null): string | null {
	const name = /^\s*(?:c\/o|care of|attn:?)\s+(.+?)(?:\s+\d.*)?$/i.exec(street ?? "")?.[1];
	return name === undefined || name.length < 3 ? null : name;
}

/** Finds the developer of each address, by the companies at the address whose name is a developer's. */
function findAddressOwners(
	notices: readonly Notice[],
	resolveCached: (name: string) => Match | null,
): Map<string, { developerId: number; names: string[] }> {
	const known = notices.flatMap((notice) => {
		const key = addressKey(notice);
		const found = key === null ? null : resolveCached(notice.name);
		return key === null || found === null ? [] : [{ key, name: notice.name, found }];
	});
	const owners = new Map<string, { developerId: number; names: string[] }>();
	for (const [key, all] of Map.groupBy(known, ({ key }) => key)) {
		const developers = Map.groupBy(all, ({ found }) => found.developerId);
		const [largest] = [...developers].sort(([, a], [, b]) => b.length - a.length);
		if (largest === undefined) continue;
		const [developerId, ownNotices] = largest;
		const names = new Map(ownNotices.map(({ name }) => [normaliseName(name).fullKey, name]));
		if (ownNotices.length >= minDeveloperShare * all.length)
			owners.set(key, { developerId, names: [...names.values()] });
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
	const zip5 = (zip ?? "").slice(0, 5);
	if (words.length < 2 || zip5 === "" || agentAddresses.test(line)) return null;
	return `${line} ${zip5}`;
}
