/** The pages on which a person gets a key: the form, and the key that is shown once. No script, nothing from elsewhere. */
import type { FastifyInstance } from "fastify";
import { about } from "#libs/contract/about.ts";
import type { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import { prices } from "#libs/contract/vocabulary.ts";
import { type Html, html } from "../pages/html.ts";
import { formPolicy } from "../pages/policy.ts";
import { siteHeader } from "../pages/site-header.ts";
import { usdOf } from "../registry/money.ts";
import { addAsset } from "./asset.ts";

export type Plans = Reply<"listPlans">["plans"];

export interface RegisterPage {
	/** None: the page does without the table. */
	plans: Plans;
	/** The operator's e-mail address. */
	contact?: string | undefined;
	/** What was wrong with what was sent; see `registerErrors`. */
	errors?: PageError[];
	/** What was sent, as it was: it stays in the form. */
	values?: Record<string, unknown>;
}

/** A sentence, at the field that it is about; above the form where it is about none. */
export interface PageError {
	field?: FieldName;
	text: string;
}

type FieldName = "email" | "name";

const styleSheet = "/register/style.css";

/** Of the answer to a form: a key and an e-mail address are stored by no cache on the way. */
export const registerHeaders = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": formPolicy,
	"cache-control": "no-store",
} as const;

/** `style`: as it was built (web/pages/register). */
export function addRegisterAssets(app: FastifyInstance, style: Buffer): void {
	addAsset(app, styleSheet, "text/css; charset=utf-8", style);
}

/** What the form says of an error that JSON would have named. */
export function registerErrors(error: AppError): PageError[] {
	const problems = error.errors ?? [{ loc: [], msg: "" }];
	return problems.map(({ loc, msg }) => {
		const at = loc.at(-1);
		const field = fields.find(({ name }) => name === at);
		if (field !== undefined) return { field: field.name, text: `${field.label} ${msg}` };
		return { text: at === undefined ? error.message : `${at}: ${msg}` };
	});
}

/** The form; with `errors` as an answer to what was sent. */
export function registerPage({ plans, contact, errors = [], values = {} }: RegisterPage): string {
	const elsewhere = errors.filter(({ field }) => field === undefined);
	const first = fields.find(({ name }) => textAt(errors, name) !== undefined)?.name;
	const inputs = fields.map((field) =>
		input(field, textOf(values[field.name]), textAt(errors, field.name), field.name === first),
	);
	return page(
		errors.length === 0 ? "Get a free key" : "Error: Get a free key",
		html`<h1>Get a free key</h1>
<p>${about.description}</p>
<p>One form, no card. The key is on the next page and works at once.</p>
${elsewhere.map(({ text }) => html`<p class="error" role="alert">${capital(text)}</p>`)}
<form method="post" action="/register" novalidate>
${inputs}
<button type="submit">Get the key</button>
<p class="hint">The address is kept with the key, to reach you about it, and for nothing else.</p>
</form>
${plans.length === 0 ? undefined : planTable(plans, contact)}
<p>An agent gets its key by <code>POST /register</code> with <code>{"email": "..."}</code> as JSON. Everything else is in the <a href="/docs">documentation</a>.</p>`,
	);
}

/** The key, this once. `baseUrl`: where callers reach the service, for the example. */
export function issuedPage(issued: Reply<"register">, baseUrl: string): string {
	const { key, plan, monthly_queries, per_minute } = issued;
	return page(
		"Your key",
		html`<h1>Your key</h1>
<p class="notice"><strong>Copy it now.</strong> It is shown this once: only a fingerprint of it is stored, so it cannot be shown again.</p>
<p><code class="key" translate="no">${key}</code></p>
<p>Plan ${plan}. Queries a month: ${limit(monthly_queries, "unlimited")}. Requests a minute: ${limit(per_minute, "as agreed")}.</p>
<h2>Try it</h2>
${command(`curl -H "X-API-Key: ${key}" "${baseUrl}/projects?state=TX&per_page=5"`)}
<h2>Keep it</h2>
<ul>
<li>Keep it where passwords are kept: a password manager, or the secret store of your servers. Not in source code, and not in an address if a header will do.</li>
<li>With the key in the variable <code>KEY</code>, what you have used and what is left: ${command(`curl -H "X-API-Key: $KEY" "${baseUrl}/usage"`)}</li>
<li>A new key for this one, which works for another day: ${command(`curl -X POST -H "X-API-Key: $KEY" "${baseUrl}/keys/rotate"`)}</li>
<li>If another person has seen it, end it at once: ${command(`curl -X POST -H "X-API-Key: $KEY" "${baseUrl}/keys/revoke"`)}</li>
</ul>
<p>Every endpoint and its parameters are in the <a href="/docs">documentation</a>.</p>`,
	);
}

interface Field {
	name: FieldName;
	label: string;
	hint: string;
	type: string;
	autocomplete: string;
	maxLength: number;
	required: boolean;
}

const fields: Field[] = [
	{
		name: "email",
		label: "E-mail address",
		hint: "It is not verified. Each key from this page has an account of its own.",
		type: "email",
		autocomplete: "email",
		maxLength: 254,
		required: true,
	},
	{
		name: "name",
		label: "Name",
		hint: "You, your company or your agent.",
		type: "text",
		autocomplete: "name",
		maxLength: 100,
		required: false,
	},
];

const textAt = (errors: PageError[], name: FieldName): string | undefined =>
	errors.find(({ field }) => field === name)?.text;

/** What was sent may be anything; a page shows text, and not without end. */
const textOf = (value: unknown): string => (typeof value === "string" ? value.slice(0, 300) : "");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function input(field: Field, value: string, problem: string | undefined, focused: boolean): Html {
	const { name, label, hint, type, autocomplete, maxLength } = field;
	const shown = problem === undefined ? undefined : html`<p class="error" id="${name}-error">${capital(problem)}</p>`;
	const more = [
		html` aria-describedby="${shown === undefined ? "" : `${name}-error `}${name}-hint"`,
		...(type === "email" ? [html` autocapitalize="none" spellcheck="false"`] : []),
		...(field.required ? [html` required`] : []),
		...(shown === undefined ? [] : [html` aria-invalid="true"`]),
		...(focused ? [html` autofocus`] : []),
	];
	return html`<div class="field">
<label for="${name}">${label}</label>${field.required ? undefined : html` <span class="hint">(optional)</span>`}
<p class="hint" id="${name}-hint">${hint}</p>
${shown}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}" value="${value}"${more}>
</div>
`;
}

/** `$0.01, $0.05 or $0.1`. */
const pricesInWords = new Intl.ListFormat("en", { type: "disjunction" }).format(
	prices.filter((price) => price !== "free").map((price) => usdOf(price)),
);

function planTable(plans: Plans, contact: string | undefined): Html {
	const rows = plans.map(
		(plan) => html`<tr><th scope="row">${plan.name} <span class="hint">${plan.description}</span></th>
<td>${limit(plan.monthly_queries, "Unlimited")}</td>
<td>${limit(plan.per_minute, "As agreed")}</td></tr>
`,
	);
	const more = contact === undefined ? "the operator" : html`<a href="mailto:${contact}">${contact}</a>`;
	return html`<h2>Plans</h2>
<table>
<thead><tr><th scope="col">Plan</th>
<th scope="col">Queries a month</th>
<th scope="col">Requests a minute</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
<p>A call that has a price takes one query of the plan. Without a key, where payment is asked for, it costs ${pricesInWords}, by the endpoint: <a href="/pricing-info">prices</a>.</p>
<p>A key from this page has the plan Free. For another plan write to ${more}; the key stays the same.</p>
`;
}

const limit = (most: number | null, none: string): string => most?.toLocaleString("en-US") ?? none;

const command = (line: string): Html => html`<pre><code translate="no">${line}</code></pre>`;

function page(title: string, body: Html): string {
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - ${about.name}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${styleSheet}">
</head>
<body>
${siteHeader(about.name, "/register")}
<main id="page">
${body}
</main>
</body>
</html>
`.text;
}
