/** Matches texts and company names to the stored developers and projects. Each process caches the matchers until the names change. */
import type { z } from "zod";
import type { newsRecorded } from "#libs/contract/events/signals.ts";
import { createResolver, type KnownDeveloper } from "#libs/names/resolve.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { createFinder, type Findable } from "../headlines/find-developers.ts";
import { bankruptcySubject, isSubject } from "../headlines/flags.ts";
import { issuers } from "./issuers.ts";
import { type IssuerMatch, matchIssuer, type NamedIssuer, type NamedProject, ProjectNames } from "./match-issuer.ts";

type PublishedMatch = z.output<typeof newsRecorded.payload>["developers"][number];

export interface ArticleMatch extends PublishedMatch {
	matched_text: string;
}

export interface Matchers {
	matchArticle(article: Omit<Findable, "snippet"> & { bodyNames: readonly string[] }): ArticleMatch[];
	/** Names of developers that the snippet contains, as written there. */
	namesInSnippet(snippet: string | null): string[];
	matchIssuer(issuer: NamedIssuer): IssuerMatch;
	/** Returns the developer of the first company whose CIK belongs to one. Callers list the issuer first. */
	matchCompanies(companies: readonly { cik: string }[]): {
		developer_id: number | null;
		match_method: "issuer_cik" | "none";
	};
}

const noHeadline = { title: "", url: "", domain: "", organizations: [] };

const cache = new WeakMap<Sql, { version: number; matchers: Matchers }>();

/** Returns the matchers for the current names. The transaction must hold the writers' lock. */
export async function loadMatchers(sql: Sql, tx: Transaction): Promise<Matchers> {
	const [names] = await tx<{ version: number }[]>`select version from names`;
	const version = names?.version ?? 0;
	const known = cache.get(sql);
	if (known?.version === version) return known.matchers;
	const matchers = buildMatchers(await readDevelopers(tx), await readProjects(tx));
	cache.set(sql, { version, matchers });
	return matchers;
}

interface Developer extends KnownDeveloper {
	headquarters: string | null;
}

async function readDevelopers(tx: Transaction): Promise<Developer[]> {
	return tx<Developer[]>`
		select developer_id as id, canonical_name as canonical, ambiguous, aliases, prefixes, headquarters_state as headquarters
		from developers order by developer_id`;
}

/** Excludes distributed installations: they are named after houses and shops, which are not in the news. */
async function readProjects(tx: Transaction): Promise<NamedProject[]> {
	return tx<NamedProject[]>`select name, developer_id from projects
		where name is not null and kind <> 'distribution' order by project_id`;
}

function buildMatchers(developers: readonly Developer[], projects: readonly NamedProject[]): Matchers {
	const byId = new Map(developers.map((developer) => [developer.id, developer]));
	const names = new Map(
		developers.map(({ id, canonical, aliases }) => [id, [canonical, ...aliases.map(({ alias }) => alias)]]),
	);
	const byName = new Map(developers.map(({ id, canonical }) => [canonical, id]));
	const resolver = createResolver(developers);
	const finder = createFinder(
		developers,
		projects.flatMap(({ name, developer_id }) => (developer_id === null ? [] : { name, developerId: developer_id })),
	);
	const projectNames = new ProjectNames(projects);
	return {
		matchArticle({ bodyNames, ...headline }) {
			const snippet = bodyNames.length === 0 ? null : bodyNames.join("; ");
			const bankrupt = bankruptcySubject(headline.title);
			return finder
				.find({ ...headline, snippet })
				.map(({ developerId, canonical, matchedOn, matchedText, confidence, subject }) => ({
					developer_id: developerId,
					developer_canonical: canonical,
					matched_on: matchedOn,
					matched_text: matchedText,
					match_confidence: confidence,
					subject,
					bankruptcy: isSubject(bankrupt, names.get(developerId) ?? []),
				}))
				.sort((a, b) => a.developer_id - b.developer_id);
		},
		namesInSnippet(snippet) {
			if (snippet === null) return [];
			return finder.find({ ...noHeadline, snippet }).map(({ matchedText }) => matchedText);
		},
		matchIssuer: (issuer) =>
			matchIssuer(
				issuer,
				(name) => resolver.resolve(name, "any company"),
				(id) => byId.get(id)?.headquarters ?? null,
				projectNames,
			),
		matchCompanies(companies) {
			for (const { cik } of companies) {
				const id = byName.get(issuers.get(cik)?.developer ?? "");
				if (id !== undefined) return { developer_id: id, match_method: "issuer_cik" };
			}
			return { developer_id: null, match_method: "none" };
		},
	};
}
