/** Every list this service takes in. */

import { type Region, regions } from "#libs/contract/vocabulary.ts";
import { nyserda } from "../../distributed/sources/nyserda.ts";
import type { Feed, ListGroup, Operator, Source } from "../../sources/source.ts";
import { lbnl } from "./lbnl.ts";

/** "isone" of ISO-NE: names its file here, and its folder among dated lists. */
export const fileNameOf = (region: Region): string => region.toLowerCase().replaceAll("-", "");

/** Each in the file of its name, so that the contract's line about an operator is the only one. */
const operators = new Map<Region, Operator>();
for (const region of regions) {
	const file = new URL(`${fileNameOf(region)}.ts`, import.meta.url);
	const { operator } = (await import(file.href)) as { operator: Operator };
	operators.set(region, operator);
}

export function operatorOf(region: Region): Operator {
	const found = operators.get(region);
	if (found === undefined) throw new Error(`no operator of ${region}`);
	return found;
}

export const sources: readonly Source[] = [...regions.flatMap((region) => operatorOf(region).lists), lbnl];

/** Installations of programmes for distributed generation, kept like requests; taken in by hand, with the related datasets. */
export const programmes: readonly Source[] = [nyserda];

export function sourceOf(feed: Feed): Source {
	const found = [...sources, ...programmes].find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no source for ${feed}`);
	return found;
}

/** The lists that a group's numbers are in; a request that stands in two of them is what the first of them says. */
export const sourcesOf = (group: ListGroup): readonly Source[] =>
	group === "DG" ? programmes : operatorOf(group).lists;
