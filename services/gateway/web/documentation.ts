/** What the page of documentation shows beside the OpenAPI document, which it is made of. */
import type { FastifyInstance } from "fastify";
import { changelog } from "#libs/contract/changelog.ts";
import { errorCodes } from "#libs/contract/error-codes.ts";
import { addAsset } from "../documents/asset.ts";
import { guides } from "./guides.ts";
import { pageReads } from "./page-reads.ts";

export function addDocumentation(app: FastifyInstance): void {
	const said = {
		reads: pageReads().map(({ name }) => name),
		guides,
		errors: Object.entries(errorCodes).map(([code, note]) => ({ code, ...note })),
		changelog,
	};
	addAsset(app, "/web/documentation.json", "application/json; charset=utf-8", Buffer.from(JSON.stringify(said)));
}
