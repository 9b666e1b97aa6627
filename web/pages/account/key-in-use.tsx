import { useId, useState } from "preact/hooks";
import { callAs } from "../../lib/api.ts";
import { forgetKey, hintOf, keepKey } from "../../lib/key.ts";
import { Problem } from "../../lib/problem.tsx";
import { useAction } from "../../lib/use-action.ts";
import { Confirmed } from "./confirmed.tsx";
import { NewSecret } from "./new-secret.tsx";

const graces: [seconds: number, text: string][] = [
	[0, "no longer"],
	[3_600, "an hour"],
	[86_400, "a day"],
	[604_800, "a week"],
];

interface KeyProps {
	apiKey: string;
	isForGood: boolean;
}

/** The key that this page works with: where it is kept, its successor, its end. */
export function KeyInUse({ apiKey, isForGood }: KeyProps) {
	const id = useId();
	const [grace, setGrace] = useState(86_400);
	const [successor, setSuccessor] = useState<string>();
	const action = useAction();
	const rotate = async () => {
		const call = { method: "POST", key: apiKey, body: { grace_seconds: grace } };
		const replaced = await action.run(() => callAs("rotateKey", "/keys/rotate", call));
		if (replaced !== undefined) setSuccessor(replaced.key);
	};
	const revoke = async () => {
		const call = { method: "POST", key: apiKey };
		if ((await action.run(() => callAs("revokeKey", "/keys/revoke", call))) !== undefined) forgetKey();
	};
	return (
		<section aria-labelledby="key">
			<h2 id="key">Your key</h2>
			<p>
				<code>{hintOf(apiKey)}</code>,{" "}
				{isForGood ? "kept in this browser until you remove it." : "kept for this tab alone."}
			</p>
			<div class="toolbar">
				<button type="button" class="plain" onClick={() => keepKey({ key: apiKey, isForGood: !isForGood })}>
					{isForGood ? "Keep it for this tab alone" : "Keep it in this browser"}
				</button>
				<button type="button" class="plain" onClick={forgetKey}>
					Remove it from here
				</button>
			</div>
			<details>
				<summary>Replace or end it</summary>
				<div class="toolbar">
					<label for={id}>The old key works for</label>
					<select id={id} value={grace} onChange={(event) => setGrace(Number(event.currentTarget.value))}>
						{graces.map(([seconds, text]) => (
							<option key={seconds} value={seconds}>
								{text}
							</option>
						))}
					</select>
					<button type="button" class="plain" disabled={action.isBusy || successor !== undefined} onClick={rotate}>
						Replace it
					</button>
					<Confirmed label="End it for good" question="No request with it is answered any more." act={revoke} />
				</div>
			</details>
			<Problem action={action} />
			{successor !== undefined && (
				<NewSecret name="Your new key" secret={successor}>
					<button type="button" class="plain" onClick={() => keepKey({ key: successor, isForGood })}>
						Use it here
					</button>
				</NewSecret>
			)}
		</section>
	);
}
