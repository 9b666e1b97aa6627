/** What the page of documentation shows beside the OpenAPI document, which it is made of. */
import type { FastifyInstance } from "fastify";
import { changelog } from "#libs/contract/changelog.ts";
import { addAsset } from "../documents/asset.ts";
import { refusalNotes } from "../documents/openapi-errors.ts";
import { guides } from "./guides.ts";
import { pageReads } from "./page-reads.ts";

export function addDocumentation(app: FastifyInstance): void {
	const said = {
		reads: pageReads().map(({ name }) => name),
		guides,
		errors: refusalNotes,
		changelog,
	};
	addAsset(app, "/web/documentation.json", "application/json; charset=utf-8", Buffer.from(JSON.stringify(said)));
}
