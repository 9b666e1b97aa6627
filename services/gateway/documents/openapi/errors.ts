/** The OpenAPI document's descriptions of headers and errors: responses, bodies and examples. */
import { errorCodes } from "#libs/contract/error-codes.ts";
import { problemOf } from "#libs/contract/errors.ts";
import type { OperationShape } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { componentSchemas } from "#libs/contract/schemas/json-schema.ts";
import { pathParameters } from "../../registry/bindings.ts";
import type { JsonObject } from "../../registry/json-schema.ts";

interface Refusal {
	name: string;
	description: string;
	/** When absent, any operation can return it. */
	applies?: (http: HttpBinding) => boolean;
	headers?: readonly HeaderName[];
	/** Schema of a problem (RFC 9457) with further fields. */
	problem?: "PaymentProblem" | "QuotaProblem";
}

const hasBody = (http: HttpBinding) => takesBody(http.method);
const isPriced = (http: HttpBinding) => http.price !== "free";

const refusals: Record<number, Refusal> = {
	400: { name: "BadRequest", description: "The request cannot be read" },
	402: {
		name: "PaymentRequired",
		description:
			"Without a key the call must be paid for, if the server accepts payments: headers and body describe how. Also returned if a payment is refused",
		applies: isPriced,
		headers: ["PAYMENT-REQUIRED", "WWW-Authenticate"],
		problem: "PaymentProblem",
	},
	403: { name: "Forbidden", description: "The key is missing or not valid" },
	404: {
		name: "NotFound",
		description: "The requested object does not exist",
		applies: ({ path, looksUp = false }) => looksUp || pathParameters(path).length > 0,
	},
	409: {
		name: "Conflict",
		description:
			"The request conflicts with an earlier one (a key was replaced, a payment was used), or a payment is pending",
		applies: (http) => http.method !== "GET" || isPriced(http),
	},
	413: { name: "TooLarge", description: "The body is too large", applies: hasBody },
	415: {
		name: "UnsupportedMediaType",
		description: "The body is neither JSON nor a form, or has a `Content-Encoding`",
		applies: hasBody,
	},
	422: { name: "Invalid", description: "A parameter is unknown, missing or out of bounds; `errors` names each" },
	429: {
		name: "TooManyRequests",
		description:
			"The rate limit or the monthly quota is exceeded; `detail` names the limit, `Retry-After` the time to wait",
		headers: ["RateLimit", "RateLimit-Policy", "Retry-After"],
		problem: "QuotaProblem",
	},
	500: { name: "ServerError", description: "An error of the service" },
	503: {
		name: "Unavailable",
		description: "A part of the service is unavailable; retry after `Retry-After`",
		headers: ["Retry-After"],
	},
};

/** The errors that an operation can return, by status. `sells`: the operation requires a payment although it has no price. */
export function errorReferences(http: HttpBinding, sells: boolean): JsonObject {
	return Object.fromEntries(
		Object.entries(refusals)
			.filter(([status, { applies }]) => applies === undefined || applies(http) || (sells && status === "402"))
			.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
	);
}

/** The components that `errorReferences` refers to. */
export function errorComponents(): { schemas: JsonObject; responses: JsonObject; headers: JsonObject } {
	const responses = Object.entries(refusals).map(([status, { name, description, headers, problem }]) => {
		const example = problem === undefined ? errorExample(Number(status)) : problemExamples[problem];
		const content = { "application/problem+json": { schema: reference(problem ?? "Problem"), example } };
		return [name, { description, headers: headerReferences([...everyAnswerHeaders, ...(headers ?? [])]), content }];
	});
	return {
		schemas: { Problem: problemSchema, FieldProblem: fieldProblem, ...problems },
		responses: Object.fromEntries(responses),
		headers: headerComponents(),
	};
}

function reference(schema: string): JsonObject {
	return { $ref: `${componentSchemas}${schema}` };
}

const problem = {
	type: {
		type: "string",
		format: "uri-reference",
		description: "Address of an explanation of this kind of problem, below /docs or in a standard",
	},
	title: { type: "string", description: "The kind of problem, in words" },
	status: { type: "integer", description: "The HTTP status" },
	detail: { type: "string", description: "What is wrong, as a sentence" },
	code: {
		type: "string",
		enum: Object.keys(errorCodes),
		description: "What is wrong, for programs: stable, whereas the wording of `detail` may change",
	},
	request_id: { type: "string", description: "As in the header X-Request-Id; include it when you report an error" },
};
const required = ["type", "title", "status", "detail", "code"];

const problemSchema: JsonObject = {
	type: "object",
	description: "What is wrong (RFC 9457)",
	required,
	properties: {
		...problem,
		errors: { type: "array", description: "With a 422: each invalid parameter", items: reference("FieldProblem") },
	},
};

const fieldProblem: JsonObject = {
	type: "object",
	required: ["loc", "msg"],
	properties: {
		loc: {
			type: "array",
			items: { type: "string" },
			description: 'Location, such as ["query", "per_page"], ["path", "project_id"] or ["body", "email"]',
		},
		msg: { type: "string", description: "What is wrong with it" },
	},
};

const problems: Record<NonNullable<Refusal["problem"]>, JsonObject> = {
	PaymentProblem: {
		type: "object",
		description: "A problem (RFC 9457) that describes how to pay",
		required,
		properties: {
			...problem,
			price_usd: { type: "number", description: "What the call costs, USD", "x-unit": "USD" },
			x402Version: { type: "integer", description: "x402: the version of `accepts`" },
			accepts: { type: "array", items: { type: "object" }, description: "x402: accepted payments" },
			rails: { type: "object", description: "Each way to pay that is enabled, and how to use it" },
		},
	},
	QuotaProblem: {
		type: "object",
		description: "A problem (RFC 9457) that names the limit",
		required,
		properties: {
			...problem,
			"violated-policies": {
				type: "array",
				items: { type: "string" },
				description: "Names of the violated policies of `RateLimit-Policy`: `minute` or `month`",
			},
		},
	},
};

const requestId = "0199b2c1-5f0e-7c3a-9d53-1f8f6c2f4a10";

/** The example body for a status that has only the general schema. */
const errorExample = (status: number): object => problemOf(errorExamples[status] ?? { detail: "" }, status, requestId);

const errorExamples: Record<number, { detail: string; code: string; errors?: object[] }> = {
	400: { detail: "the query is not valid percent-encoded UTF-8", code: "bad_request" },
	403: { detail: "the API key is not valid: it was never issued", code: "key_invalid" },
	404: { detail: "no project PJM-ZZ9-999", code: "not_found" },
	409: { detail: "the payment identifier was used for another request", code: "conflict" },
	413: { detail: "the body is too large", code: "body_too_large" },
	415: { detail: "the body's media type is not supported", code: "unsupported_media_type" },
	422: {
		detail: "per_page: must be at most 500",
		code: "invalid_parameters",
		errors: [{ loc: ["query", "per_page"], msg: "must be at most 500" }],
	},
	500: { detail: "internal error", code: "internal_error" },
	503: { detail: "the service that answers listProjects is not available", code: "unavailable" },
};

const problemExamples = {
	PaymentProblem: {
		type: "https://paymentauth.org/problems/payment-required",
		title: "Payment Required",
		status: 402,
		detail: "GET /projects costs $0.01 without a key. Pay by x402, or get a free key at /register",
		code: "payment_required",
		price_usd: 0.01,
		x402Version: 2,
		accepts: [],
		rails: { x402: "repeat the request with PAYMENT-SIGNATURE" },
		request_id: requestId,
	},
	QuotaProblem: {
		type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
		title: "Quota exceeded",
		status: 429,
		detail: "the monthly limit of 50 queries is used up: it resets at 2026-12-01T00:00:00Z",
		code: "quota_used_up",
		"violated-policies": ["month"],
		request_id: requestId,
	},
} as const;

const headers = {
	"API-Version": "Version of the interface: its first number changes with a breaking change",
	ETag: "Identifies these bytes; with `If-None-Match` the response is a 304 while they are unchanged",
	Link: 'Other pages of a list (RFC 8288), with `rel` "first", "prev", "next" and "last"; with `cursor` only "next"',
	"PAYMENT-REQUIRED": "x402: the terms, as Base64 of JSON",
	RateLimit: 'What remains, by policy (a structured field): `"minute";r=9;t=37, "month";r=49;t=901234`',
	"RateLimit-Policy": 'The limits that apply: `"minute";q=10;w=60, "month";q=50;w=2592000`',
	"Retry-After": "Seconds to wait before a retry",
	"WWW-Authenticate": "Machine Payments Protocol: `Payment` and its challenge",
	"X-Data-Version": "Increases with each change of the data that the response is read from",
	"X-Request-Id": "ID of the request; include it when you report an error",
} as const;
type HeaderName = keyof typeof headers;

const everyAnswerHeaders: readonly HeaderName[] = ["API-Version", "X-Request-Id"];

/** Headers of a successful response. */
export function headersOfSuccess(operation: OperationShape, http: HttpBinding): JsonObject {
	const isPage = !takesBody(http.method) && "page" in operation.params.shape && "per_page" in operation.params.shape;
	const isShared = operation.owner !== "gateway" && !http.needsKey && operation.eventStream === undefined;
	return headerReferences([
		...everyAnswerHeaders,
		...(isShared ? (["ETag", "X-Data-Version"] as const) : []),
		...(isPage && isShared ? (["Link"] as const) : []),
		...(http.price === "free" ? [] : (["RateLimit", "RateLimit-Policy"] as const)),
	]);
}

const headerReferences = (names: readonly HeaderName[]): JsonObject =>
	Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const headerComponents = (): JsonObject =>
	Object.fromEntries(
		Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
	);
