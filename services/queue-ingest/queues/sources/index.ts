/** Every list that this service ingests. */

import { type ProjectRegion, projectRegions } from "#libs/contract/vocabulary.ts";
import type { Feed, ListGroup, Operator, Source } from "../../sources/source.ts";
import { nyserda } from "../distributed/sources/nyserda.ts";
import { lbnl } from "./lbnl.ts";

/** "isone" for ISO-NE: the name of its file here, and of its folder among dated lists. */
export const fileNameOf = (region: ProjectRegion): string => region.toLowerCase().replaceAll("-", "");

async function operatorOf(region: ProjectRegion): Promise<Operator> {
	const file = new URL(`${fileNameOf(region)}.ts`, import.meta.url);
	return ((await import(file.href)) as { operator: Operator }).operator;
}

/** Operators and utilities, each from the file of its name, so that only the contract lists them. */
export const operators = Object.fromEntries(
	await Promise.all(projectRegions.map(async (region) => [region, await operatorOf(region)] as const)),
) as Record<ProjectRegion, Operator>;

const lists = projectRegions.flatMap((region) => operators[region].lists);

/** Lists with files of their own. */
export const sources: readonly Source[] = [...lists.filter(({ partOf }) => partOf === undefined), lbnl];

/** Lists that are one region's part of another list's files, and are loaded with it. */
export const partialSources: readonly Source[] = lists.filter(({ partOf }) => partOf !== undefined);

/** Installations of programmes for distributed generation, stored like requests and loaded by hand, with the related datasets. */
export const programmes: readonly Source[] = [nyserda];

export function sourceOf(feed: Feed): Source {
	const found = [...sources, ...partialSources, ...programmes].find((source) => source.feed === feed);
	if (found === undefined) throw new Error(`no list has the feed "${feed}"`);
	return found;
}

/** The lists of a group, by precedence: a request in two of them has the values of the first. */
export const sourcesOf = (group: ListGroup): readonly Source[] =>
	group === "DG" ? programmes : operators[group].lists;

export const feedsOf = (group: ListGroup): Feed[] => sourcesOf(group).map(({ feed }) => feed);
