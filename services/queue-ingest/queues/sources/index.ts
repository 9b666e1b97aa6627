/** Every list that this service ingests. */

import { type ProjectRegion, projectRegions } from "#libs/contract/vocabulary.ts";
import type { Feed, ListGroup, Operator, Source } from "../../sources/source.ts";
import { nyserda } from "../distributed/sources/nyserda.ts";
import { lbnl } from "./lbnl.ts";

/** Returns the name of an operator's file in this folder, and of its folder among dated lists: "isone" for ISO-NE. */
export const fileNameOf = (region: ProjectRegion): string => region.toLowerCase().replaceAll("-", "");

async function operatorOf(region: ProjectRegion): Promise<Operator> {
	const file = new URL(`${fileNameOf(region)}.ts`, import.meta.url);
	return ((await import(file.href)) as { operator: Operator }).operator;
}

/** Operators and utilities. Each is imported from the file with its name, so that only the contract lists them. */
export const operators = Object.fromEntries(
	await Promise.all(projectRegions.map(async (region) => [region, await operatorOf(region)] as const)),
) as Record<ProjectRegion, Operator>;

const lists = projectRegions.flatMap((region) => operators[region].lists);

/** Lists that have their own files. */
export const sources: readonly Source[] = [...lists.filter(({ partOf }) => partOf === undefined), lbnl];

/** Lists that contain one region's rows of another list, and are loaded with that list's files. */
export const partialSources: readonly Source[] = lists.filter(({ partOf }) => partOf !== undefined);

/** Installations of distributed generation programs. They are stored like requests, and loaded by hand with the related datasets. */
export const programmes: readonly Source[] = [nyserda];

export function sourceOf(feed: Feed): Source {
	const source = [...sources, ...partialSources, ...programmes].find((one) => one.feed === feed);
	if (source === undefined) throw new Error(`no list has the feed "${feed}"`);
	return source;
}

/** Returns the lists of a group in order of precedence: a request in several lists has the values of the first. */
export const sourcesOf = (group: ListGroup): readonly Source[] =>
	group === "DG" ? programmes : operators[group].lists;

export const feedsOf = (group: ListGroup): Feed[] => sourcesOf(group).map(({ feed }) => feed);
