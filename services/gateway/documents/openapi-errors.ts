/** How the OpenAPI document describes refusals: the responses, their headers and their bodies. */
import { errorCodes } from "#libs/contract/error-codes.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { componentSchemas } from "#libs/schemas/references.ts";
import { pathParameters } from "../registry/bindings.ts";
import { errorExample, problemExamples } from "./error-examples.ts";
import { type HeaderName, headerComponents, headerReferences, ofEveryAnswer } from "./openapi-headers.ts";

type JsonSchema = Record<string, unknown>;

interface Refusal {
	name: string;
	description: string;
	/** By default any operation can answer it. */
	applies?: (http: HttpBinding, parameters: readonly string[]) => boolean;
	headers?: readonly HeaderName[];
	/** The schema of the problem (RFC 9457), where it says more than others. */
	problem?: "PaymentProblem" | "QuotaProblem";
}

const hasBody = (http: HttpBinding) => takesBody(http.method);
const isPriced = (http: HttpBinding) => http.price !== "free";

const refusals: Record<number, Refusal> = {
	400: { name: "BadRequest", description: "The request cannot be read" },
	402: {
		name: "PaymentRequired",
		description:
			"Without a key this is paid for, where the server takes payments: how, in the headers and in the body. Also answered to a payment that was refused",
		applies: isPriced,
		headers: ["PAYMENT-REQUIRED", "WWW-Authenticate"],
		problem: "PaymentProblem",
	},
	403: { name: "Forbidden", description: "The key is missing or not valid" },
	404: {
		name: "NotFound",
		description: "There is no such thing",
		applies: (http) => pathParameters(http.path).length > 0,
	},
	409: {
		name: "Conflict",
		description:
			"It contradicts what was done before: a key that was replaced, a payment that was used; or a payment is pending",
		applies: (http) => http.method !== "GET" || isPriced(http),
	},
	413: { name: "TooLarge", description: "The body is too large", applies: hasBody },
	415: {
		name: "UnsupportedMediaType",
		description: "The body is neither JSON nor a form, or has a `Content-Encoding`",
		applies: hasBody,
	},
	422: { name: "Invalid", description: "A parameter is unknown, missing or out of bounds; `errors` says which" },
	429: {
		name: "TooManyRequests",
		description: "The rate limit or the monthly quota is exceeded; `detail` says which, `Retry-After` for how long",
		headers: ["RateLimit", "RateLimit-Policy", "Retry-After"],
		problem: "QuotaProblem",
	},
	500: { name: "ServerError", description: "A fault of the service" },
	503: {
		name: "Unavailable",
		description: "A part of the service does not answer; `Retry-After` says when to try again",
		headers: ["Retry-After"],
	},
};

/** The refusals that an operation can answer, by status; `sells`: it is paid for without being priced. */
export function errorReferences(http: HttpBinding, parameters: readonly string[], sells: boolean): JsonSchema {
	return Object.fromEntries(
		Object.entries(refusals)
			.filter(
				([status, { applies }]) => applies === undefined || applies(http, parameters) || (sells && status === "402"),
			)
			.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
	);
}

/** The components that the references point to. */
export function errorComponents(): { schemas: JsonSchema; responses: JsonSchema; headers: JsonSchema } {
	const responses = Object.entries(refusals).map(([status, { name, description, headers, problem }]) => {
		const example = problem === undefined ? errorExample(Number(status)) : problemExamples[problem];
		const content = { "application/problem+json": { schema: reference(problem ?? "Problem"), example } };
		return [name, { description, headers: headerReferences([...ofEveryAnswer, ...(headers ?? [])]), content }];
	});
	return {
		schemas: { Problem: problemSchema, FieldProblem: fieldProblem, ...problems },
		responses: Object.fromEntries(responses),
		headers: headerComponents(),
	};
}

function reference(schema: string): JsonSchema {
	return { $ref: `${componentSchemas}${schema}` };
}

const problem = {
	type: {
		type: "string",
		format: "uri-reference",
		description: "Address of what explains this kind of problem; below /docs, or that of a standard",
	},
	title: { type: "string", description: "The kind of problem, in words" },
	status: { type: "integer", description: "The HTTP status" },
	detail: { type: "string", description: "What is wrong, as a sentence" },
	code: {
		type: "string",
		enum: Object.keys(errorCodes),
		description: "What is wrong, for programs: it stays as it is, while `detail` may be worded anew",
	},
	request_id: { type: "string", description: "As in the header X-Request-Id; name it when you report a fault" },
};
const required = ["type", "title", "status", "detail", "code"];

const problemSchema: JsonSchema = {
	type: "object",
	description: "What is wrong (RFC 9457)",
	required,
	properties: {
		...problem,
		errors: { type: "array", description: "With a 422: each parameter at fault", items: reference("FieldProblem") },
	},
};

const fieldProblem: JsonSchema = {
	type: "object",
	required: ["loc", "msg"],
	properties: {
		loc: {
			type: "array",
			items: { type: "string" },
			description: 'Where, as ["query", "per_page"], ["path", "project_id"] or ["body", "email"]',
		},
		msg: { type: "string", description: "What is wrong with it" },
	},
};

const problems: Record<NonNullable<Refusal["problem"]>, JsonSchema> = {
	PaymentProblem: {
		type: "object",
		description: "A problem (RFC 9457) that says how to pay",
		required,
		properties: {
			...problem,
			price_usd: { type: "number", description: "What the call costs, USD", "x-unit": "USD" },
			x402Version: { type: "integer", description: "x402: the version of `accepts`" },
			accepts: { type: "array", items: { type: "object" }, description: "x402: what would be taken" },
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
				description: "Of `RateLimit-Policy`: `minute` or `month`",
			},
		},
	},
};
