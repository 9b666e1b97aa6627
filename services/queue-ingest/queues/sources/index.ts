/** Every list this service takes in. */

import { type ProjectRegion, projectRegions } from "#libs/contract/vocabulary.ts";
import type { Feed, ListGroup, Operator, Source } from "../../sources/source.ts";
import { nyserda } from "../distributed/sources/nyserda.ts";
import { lbnl } from "./lbnl.ts";

/** "isone" of ISO-NE: names its file here, and its folder among dated lists. */
export const fileNameOf = (region: ProjectRegion): string => region.toLowerCase().replaceAll("-", "");

async function operatorOf(region: ProjectRegion): Promise<Operator> {
	const file = new URL(`${fileNameOf(region)}.ts`, import.meta.url);
	return ((await import(file.href)) as { operator: Operator }).operator;
}

/** Operators and utilities, each from the file of its name, so that the contract's line about an operator is the only one. */
export const operators = Object.fromEntries(
	await Promise.all(projectRegions.map(async (region) => [region, await operatorOf(region)] as const)),
) as Record<ProjectRegion, Operator>;

export const sources: readonly Source[] = [...projectRegions.flatMap((region) => operators[region].lists), lbnl];

/** Installations of programmes for distributed generation, kept like requests; taken in by hand, with the related datasets. */
export const programmes: readonly Source[] = [nyserda];

export function sourceOf(feed: Feed): Source {
	const found = [...sources, ...programmes].find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no source for ${feed}`);
	return found;
}

/** The lists that a group's numbers are in; a request that stands in two of them is what the first of them says. */
export const sourcesOf = (group: ListGroup): readonly Source[] =>
	group === "DG" ? programmes : operators[group].lists;
