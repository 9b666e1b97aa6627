import { useEffect, useRef, useState } from "preact/hooks";
import type { Call } from "#libs/documents/programs.ts";
import { count } from "../../lib/format.ts";
import { jsonText } from "../../lib/json-text.ts";
import type { Endpoint } from "./document.ts";
import { LongText } from "./long-text.tsx";
import { type Sent, send } from "./send.ts";

interface TryItProps {
	endpoint: Endpoint;
	call: Call;
	visitorsKey: string;
}

/** Sends the call as it stands, and shows what comes. */
export function TryIt({ endpoint, call, visitorsKey }: TryItProps) {
	const [sent, setSent] = useState<Sent>();
	const [failure, setFailure] = useState<string>();
	const [isUnderWay, setIsUnderWay] = useState(false);
	const stop = useRef<AbortController>(undefined);
	useEffect(() => () => stop.current?.abort(), []);
	async function run() {
		const own = new AbortController();
		stop.current?.abort();
		stop.current = own;
		setFailure(undefined);
		setSent(undefined);
		setIsUnderWay(true);
		try {
			const answer = await send(call, visitorsKey, own.signal, setSent);
			if (stop.current === own) setSent(answer);
		} catch {
			if (!own.signal.aborted) setFailure("The service does not answer.");
		} finally {
			if (stop.current === own) setIsUnderWay(false);
		}
	}
	const withKey = call.secret === "key" && visitorsKey !== "";
	return (
		<div class="try">
			<p>
				<button type="button" onClick={run}>
					Try it
				</button>{" "}
				{isUnderWay && (
					<button type="button" class="small" onClick={() => stop.current?.abort()}>
						Stop
					</button>
				)}{" "}
				<span class="soft">
					{call.secret === "key" && (
						<>
							Sent {withKey ? "with" : "without"} <a href="#key">your key</a>, and counted.{" "}
						</>
					)}
					{changes(endpoint) && <b>This changes something.</b>}
				</span>
			</p>
			<div aria-live="polite">
				{failure !== undefined && <p class="failure">{failure}</p>}
				{sent && <Answer sent={sent} />}
			</div>
		</div>
	);
}

/** Questions that are too long for an address are posted. */
const questions = new Set(["runQuery", "compareDays"]);
const changes = ({ id, method }: Endpoint): boolean => method !== "GET" && !questions.has(id);

function Answer({ sent: { status, ms, headers, mediaType, text, isCut } }: { sent: Sent }) {
	return (
		<>
			<p>
				<b data-sent="status">{status}</b> <span class="soft">after {count(ms)} ms</span>
			</p>
			<dl class="headers">
				{headers.map(([name, value]) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
			</dl>
			{text === undefined ? (
				<p>
					This is a file of type {mediaType}: the command above with <code>-o</code> keeps it.
				</p>
			) : (
				text !== "" && <LongText text={indented(text, mediaType, isCut)} name="the answer" />
			)}
			{isCut && <p class="soft">There is more.</p>}
		</>
	);
}

function indented(text: string, mediaType: string, isCut: boolean): string {
	if (isCut || !mediaType.includes("json")) return text;
	try {
		return jsonText(JSON.parse(text));
	} catch {
		return text;
	}
}
