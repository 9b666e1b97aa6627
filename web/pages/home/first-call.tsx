import { useState } from "preact/hooks";

const storedKey = "api-key";

/** A first call, with the visitor's key where this browser has one. */
export function FirstCall() {
	const [copied, setCopied] = useState(false);
	const key = localStorage.getItem(storedKey);
	const header = key === null ? "" : ` -H 'X-API-Key: ${key}'`;
	const call = `curl${header} '${location.origin}/projects?state=TX&type=solar&per_page=5'`;
	const copy = () =>
		navigator.clipboard.writeText(call).then(
			() => setCopied(true),
			() => setCopied(false),
		);
	return (
		<section aria-labelledby="first-call">
			<h2 id="first-call">The first call</h2>
			<pre>
				<code>{call}</code>
			</pre>
			<p>
				<button type="button" onClick={copy}>
					{copied ? "Copied" : "Copy"}
				</button>{" "}
				{key === null && (
					<>
						Works as it is; <a href="/register">a free key</a> allows more.
					</>
				)}{" "}
				<a href="/docs">All endpoints</a>, <a href="/docs/events">streams and webhooks</a>.
			</p>
		</section>
	);
}
