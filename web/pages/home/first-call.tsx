import { CopyButton } from "../../lib/copy-button.tsx";
import { useKey } from "../../lib/key.ts";

/** A first call, with the visitor's key where this browser has one. */
export function FirstCall() {
	const kept = useKey();
	const header = kept === undefined ? "" : ` -H 'X-API-Key: ${kept.key}'`;
	const call = `curl${header} '${location.origin}/projects?state=TX&fuel_type=Solar&per_page=5'`;
	return (
		<section aria-labelledby="first-call">
			<h2 id="first-call">The first call</h2>
			<pre>
				<code>{call}</code>
			</pre>
			<p>
				<CopyButton text={call} />{" "}
				{kept === undefined && (
					<>
						Works as it is; <a href="/account">a free key</a> allows more.
					</>
				)}{" "}
				<a href="/docs">All endpoints</a>, <a href="/docs/events">streams and webhooks</a>.
			</p>
		</section>
	);
}
