/** The content of the page about events, from the same parts as the AsyncAPI document. It needs no script. */
import { z } from "zod";
import { type Html, html } from "#libs/contract/documents/html.ts";
import { cloudEventNotes } from "#libs/contract/events/cloud-event.ts";
import { type Field, fieldsOf } from "#libs/contract/schemas/fields.ts";
import { type AsyncapiOptions, subscribersGuide, transports } from "../documents/asyncapi/asyncapi.ts";
import type { Sample, Transport } from "../documents/asyncapi/parts.ts";
import type { JsonSchema } from "../registry/json-schema.ts";

/** The parts of a transport that the page shows. */
const channel = z.looseObject({ title: z.string(), address: z.string(), description: z.string() });
const message = z.looseObject({
	title: z.string(),
	summary: z.string(),
	payload: z.custom<JsonSchema>(),
	examples: z.array(z.looseObject({ headers: z.record(z.string(), z.string()).optional(), payload: z.unknown() })),
});

export function eventsContent(options: AsyncapiOptions): Html {
	const parts = transports(options);
	return html`<p>For programs: <a href="/asyncapi.json">/asyncapi.json</a> (AsyncAPI 3.0).</p>
${subscribersGuide.map(
	(text) => html`<p>${renderCode(text)}</p>
`,
)}
${parts.map(section)}
<h2 id="cloudevents">CloudEvents</h2>
<p>At NATS each attribute is a header, <code>ce-</code> before its name, percent-encoded; the payload is the event itself (binary mode).</p>
<table class="stacked">
<thead><tr><th scope="col">Attribute</th><th scope="col">What it says</th></tr></thead>
<tbody>
${Object.entries(cloudEventNotes).map(
	([name, note]) => html`<tr><th scope="row"><code>${name}</code></th><td>${renderCode(note)}</td></tr>
`,
)}</tbody>
</table>
`;
}

function section(part: Transport): Html {
	const channels = Object.values(part.channels).map((one) => channel.parse(one));
	return html`<h2 id="${idOf(part.name)}">${part.name}</h2>
<ul>
${part.guide.map(
	(text) => html`<li>${renderCode(text)}</li>
`,
)}</ul>
${part.samples.map(sample)}
<h3>Channels</h3>
<table class="stacked addresses">
<thead><tr><th scope="col">Address</th><th scope="col">What comes there</th></tr></thead>
<tbody>
${channels.map(
	({
		address,
		description,
	}) => html`<tr><th scope="row"><code>${address}</code></th><td>${renderCode(description)}</td></tr>
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
<summary><code>${title}</code> ${renderCode(summary)}</summary>
<table class="stacked fields">
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
	return html`<tr><th scope="row"><code>${path}</code></th><td>${kind}</td><td>${renderCode(description ?? "")}</td></tr>
`;
}

/** Text between backticks is code. */
const renderCode = (text: string): Html[] =>
	text.split("`").map((piece, place) => (place % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));

const idOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
