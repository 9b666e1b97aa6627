/** The page about events, for people: the same as the AsyncAPI document, from the same parts. No script, nothing from elsewhere. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cloudEventNotes } from "#libs/contract/cloud-event.ts";
import { type Html, html } from "../pages/html.ts";
import type { JsonSchema } from "../registry/json-schema.ts";
import { about } from "./about.ts";
import { addAsset } from "./asset.ts";
import { type AsyncapiOptions, readersGuide, transports } from "./asyncapi.ts";
import type { Sample, Transport } from "./asyncapi-parts.ts";
import { eventsStyle } from "./events-style.ts";
import { type Field, fieldsOf } from "./fields.ts";

const styleSheet = "/docs/events.css";

export function addEventsAssets(app: FastifyInstance): void {
	addAsset(app, styleSheet, "text/css; charset=utf-8", Buffer.from(eventsStyle));
}

/** What of a transport's part the page shows. */
const channel = z.looseObject({ title: z.string(), address: z.string(), description: z.string() });
const message = z.looseObject({
	title: z.string(),
	summary: z.string(),
	payload: z.custom<JsonSchema>(),
	examples: z.array(z.looseObject({ headers: z.record(z.string(), z.string()).optional(), payload: z.unknown() })),
});

export function eventsPage(options: AsyncapiOptions): string {
	const parts = transports(options);
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Events - ${about.name}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${styleSheet}">
</head>
<body>
<header><nav aria-label="Documentation"><a href="/docs">${about.name}</a> <a href="/docs">Endpoints</a> <a href="/docs/events" aria-current="page">Events</a></nav></header>
<main>
<h1>Events</h1>
<p>What changes is published: subscribe instead of asking again. For programs: <a href="/asyncapi.json">/asyncapi.json</a> (AsyncAPI 3.0).</p>
${readersGuide.map(
	(text) => html`<p>${marked(text)}</p>
`,
)}
${parts.map(section)}
<h2 id="cloudevents">CloudEvents</h2>
<p>At NATS each attribute is a header, <code>ce-</code> before its name, percent-encoded; the payload is the event itself (binary mode).</p>
<table>
<thead><tr><th scope="col">Attribute</th><th scope="col">What it says</th></tr></thead>
<tbody>
${Object.entries(cloudEventNotes).map(
	([name, note]) => html`<tr><th scope="row"><code>${name}</code></th><td>${marked(note)}</td></tr>
`,
)}</tbody>
</table>
</main>
</body>
</html>
`.text;
}

function section(part: Transport): Html {
	const channels = Object.values(part.channels).map((one) => channel.parse(one));
	return html`<h2 id="${idOf(part.name)}">${part.name}</h2>
<ul>
${part.guide.map(
	(text) => html`<li>${marked(text)}</li>
`,
)}</ul>
${part.samples.map(sample)}
<h3>Channels</h3>
<table class="addresses">
<thead><tr><th scope="col">Address</th><th scope="col">What comes there</th></tr></thead>
<tbody>
${channels.map(
	({
		address,
		description,
	}) => html`<tr><th scope="row"><code>${address}</code></th><td>${marked(description)}</td></tr>
`,
)}</tbody>
</table>
<h3>Messages</h3>
${Object.values(part.messages).map((one) => messageDetails(message.parse(one)))}`;
}

const sample = ({ title, code }: Sample): Html => html`<h3>${title}</h3>
<pre><code>${code}</code></pre>
`;

function messageDetails({ title, summary, payload, examples }: z.output<typeof message>): Html {
	const [, ...fields] = fieldsOf(payload);
	return html`<details id="${idOf(title)}">
<summary><code>${title}</code> ${marked(summary)}</summary>
<table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it says</th></tr></thead>
<tbody>
${fields.map(fieldRow)}</tbody>
</table>
${examples.map(
	({ headers, payload }) => html`<p>An example, invented:</p>
<pre><code>${[...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`), "", JSON.stringify(payload, null, 2)].join("\n").trimStart()}</code></pre>
`,
)}</details>
`;
}

function fieldRow({ path, type, nullable, unit, description }: Field): Html {
	const kind = `${type}${nullable ? " or null" : ""}${unit === undefined ? "" : ` [${unit}]`}`;
	return html`<tr><th scope="row"><code>${path}</code></th><td>${kind}</td><td>${marked(description === unit ? "" : (description ?? ""))}</td></tr>
`;
}

/** What stands between backticks is code. */
const marked = (text: string): Html[] =>
	text.split("`").map((piece, place) => (place % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));

const idOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
