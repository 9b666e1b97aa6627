/** Documents that agents read before they call tools. They are requested and authorized as over HTTP. */
import {
	ProtocolError,
	ProtocolErrorCode,
	type ReadResourceResult,
	type Resource,
	ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { type HttpOperation, httpOperations } from "../registry/bindings.ts";
import type { CallerContext } from "./caller-context.ts";

const longestDocument = 4 * 1024 * 1024;

const offered: Record<string, { path: string; title: string }> = {
	"energy-data://llms-full": { path: "/llms-full.txt", title: "The whole interface, for language models" },
	"energy-data://catalog": { path: "/catalog", title: "Catalog of the endpoints" },
};

interface Document {
	resource: Resource;
	operation: HttpOperation;
}

const documents = new Map<string, Document>(
	Object.entries(offered).flatMap(([uri, { path, title }]) => {
		const declared = httpOperations().find(({ http }) => http.path === path && http.method === "GET");
		if (declared === undefined) return [];
		const { summary: description, mediaType = "application/json" } = declared.operation;
		const [mimeType = ""] = mediaType.split(";", 1);
		return [[uri, { operation: declared, resource: { uri, name: path.slice(1), title, description, mimeType } }]];
	}),
);

export const resources: Resource[] = [...documents.values()].map(({ resource }) => resource);

export const isResource = (uri: unknown): boolean => typeof uri === "string" && documents.has(uri);

export async function readResource(
	uri: string,
	caller: CallerContext,
	signal: AbortSignal,
): Promise<ReadResourceResult> {
	const document = documents.get(uri);
	if (document === undefined) throw new ResourceNotFoundError(uri);
	const { operation, resource } = document;
	const request = { operation, path: {}, query: "", headers: { accept: "*/*" }, maxBytes: longestDocument };
	const { status, bytes, whole } = await caller.call(request, signal);
	const text = bytes.toString();
	if (status >= 400) {
		const { detail } = JSON.parse(text) as { detail: string };
		throw new ProtocolError(ProtocolErrorCode.InternalError, detail, { status });
	}
	if (!whole)
		throw new ProtocolError(ProtocolErrorCode.InternalError, `${operation.http.path} is too long to be a resource`);
	return { contents: [{ uri, mimeType: resource.mimeType ?? "text/plain", text }] };
}
