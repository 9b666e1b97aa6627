/** A collector of traces: takes OTLP over HTTP (JSON) and remembers the spans. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../../support/eventually.ts";

export interface CollectedSpan {
	service: string;
	name: string;
	/** 1 internal, 2 server, 3 client, 5 consumer. */
	kind: number;
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	attributes: Record<string, unknown>;
}

export interface Collector extends AsyncDisposable {
	/** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
	url: string;
	/** Spans of a trace, so far. */
	trace(traceId: string): CollectedSpan[];
	spans: CollectedSpan[];
	/** Waits for a span. */
	found(isIt: (span: CollectedSpan) => boolean, what: string): Promise<CollectedSpan>;
}

interface Value {
	stringValue?: string;
	intValue?: number | string;
}
type Attributes = { key: string; value: Value }[];
interface Exported {
	resourceSpans: {
		resource: { attributes: Attributes };
		scopeSpans: { spans: (Omit<CollectedSpan, "service" | "attributes"> & { attributes: Attributes })[] }[];
	}[];
}

export async function startCollector(): Promise<Collector> {
	const spans: CollectedSpan[] = [];
	const server = createServer((request, response) => {
		void textOf(request).then((text) => {
			spans.push(...read(JSON.parse(text) as Exported));
			response.setHeader("content-type", "application/json").end("{}");
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		trace: (traceId) => spans.filter((span) => span.traceId === traceId),
		found: (isIt, what) =>
			eventually(
				() => {
					const span = spans.find(isIt);
					if (span === undefined) throw new Error(`no span of ${what} among ${spans.length}`);
					return span;
				},
				{ withinMs: 30_000 },
			),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function read({ resourceSpans }: Exported): CollectedSpan[] {
	return resourceSpans.flatMap(({ resource, scopeSpans }) => {
		const service = String(valuesOf(resource.attributes)["service.name"]);
		return scopeSpans.flatMap(({ spans }) =>
			spans.map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) })),
		);
	});
}

const valuesOf = (attributes: Attributes): Record<string, unknown> =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
