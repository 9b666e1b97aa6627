/** The header fields of answers, as the OpenAPI document describes them. */
import type { OperationShape } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";

type JsonSchema = Record<string, unknown>;

const headers = {
	"API-Version": "Version of the interface: its first number changes when something that was promised does",
	ETag: "Of these bytes; with `If-None-Match` the answer is a 304 while they are the same",
	Link: 'Of a list: its other pages (RFC 8288), `rel` being "first", "prev", "next" and "last"; with `cursor` "next" alone',
	"PAYMENT-REQUIRED": "x402: the terms, as Base64 of JSON",
	RateLimit: 'What is left, by policy (a structured field): `"minute";r=9;t=37, "month";r=49;t=901234`',
	"RateLimit-Policy": 'The limits that apply: `"minute";q=10;w=60, "month";q=50;w=2592000`',
	"Retry-After": "Seconds after which to try again",
	"WWW-Authenticate": "Machine Payments Protocol: `Payment` and its challenge",
	"X-Data-Version": "Grows with each change of the data behind the answer",
	"X-Request-Id": "Number of the request, to name when you report a fault",
} as const;
export type HeaderName = keyof typeof headers;

export const ofEveryAnswer: readonly HeaderName[] = ["API-Version", "X-Request-Id"];

/** Of an answer that is none of an error. */
export function headersOfSuccess(operation: OperationShape, http: HttpBinding): JsonSchema {
	const isPage = !takesBody(http.method) && "page" in operation.params.shape && "per_page" in operation.params.shape;
	const isShared = operation.owner !== "gateway" && !http.needsKey && operation.eventStream === undefined;
	return headerReferences([
		...ofEveryAnswer,
		...(isShared ? (["ETag", "X-Data-Version"] as const) : []),
		...(isPage && isShared ? (["Link"] as const) : []),
		...(http.price === "free" ? [] : (["RateLimit", "RateLimit-Policy"] as const)),
	]);
}

export const headerReferences = (names: readonly HeaderName[]): JsonSchema =>
	Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const headerComponents = (): JsonSchema =>
	Object.fromEntries(
		Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
	);
