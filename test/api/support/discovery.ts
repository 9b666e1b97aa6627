/** Requests of the tests of discovery, and what they read in the documents. */
import { expect } from "vitest";
import { z } from "zod";
import { type OperationName, type OperationShape, operations, type Reply } from "#libs/contract/index.ts";

export async function text(base: string, path: string): Promise<string> {
	const response = await fetch(base + path);
	expect([path, response.status]).toEqual([path, 200]);
	return response.text();
}

/** An answer that fits its closed schema. */
export async function replyOf<N extends "getCatalog" | "getDataCatalog" | "getCoverage" | "getManifestFile">(
	base: string,
	name: N,
): Promise<Reply<N>> {
	const { http, reply }: OperationShape = operations[name];
	return reply.parse(JSON.parse(await text(base, http?.path ?? ""))) as Reply<N>;
}

export function sectionOf(reference: string, name: OperationName): string {
	const { http }: OperationShape = operations[name];
	const [, from] = reference.split(`\n### ${http?.method} ${http?.path}\n`);
	return from?.split(/\n##/)[0] ?? "";
}

export function exampleIn(section: string): unknown {
	const [, json] = /```json\n(.*)\n```/.exec(section) ?? [];
	return json === undefined ? undefined : JSON.parse(json);
}

export const documentSchema = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				operationId: z.string(),
				parameters: z.array(z.object({ name: z.string(), example: z.unknown().optional() })),
				responses: z.record(z.string(), z.unknown()),
			}),
		),
	),
});

/** The answers that a document shows, by operation. */
export function answersOf({ paths }: z.output<typeof documentSchema>): { operationId: string; answer: unknown }[] {
	return Object.values(paths)
		.flatMap((path) => Object.values(path))
		.flatMap(({ operationId, responses }) => {
			const { content } = responses[200] as { content: Record<string, { example?: unknown }> };
			const answer = content["application/json"]?.example;
			return answer === undefined ? [] : [{ operationId, answer }];
		});
}
