import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs } from "../../lib/api.ts";
import { Failed } from "../../lib/failed.tsx";
import { ago, count, filed, words } from "../../lib/format.ts";
import { Problem } from "../../lib/problem.tsx";
import { useAction } from "../../lib/use-action.ts";
import { useList } from "./use-list.ts";

type Delivery = Reply<"listDeliveries">["data"][number];

const shown = 20;

/** The newest deliveries of a webhook, and what came of each. */
export function Deliveries({ path, apiKey }: { path: string; apiKey: string }) {
	const list = useList("listDeliveries", `${path}/deliveries?per_page=${shown}`, apiKey);
	const action = useAction();
	const [again, setAgain] = useState<number>();
	const redeliver = async (id: number) => {
		setAgain(id);
		const address = `${path}/deliveries/${id}/redeliver`;
		await action.run(() => callAs("redeliver", address, { method: "POST", key: apiKey }));
		list.again();
	};
	const data = list.state.data?.data;
	return (
		<>
			<Failed state={list.state} />
			<Problem action={action} />
			{data?.length === 0 && <p class="soft">Nothing was sent yet.</p>}
			<ul>
				{data?.map((delivery) => (
					<li key={delivery.delivery_id} data-delivery={delivery.delivery_id}>
						{words(delivery.type.replace(".", " "))}
						{delivery.seq !== null && ` ${count(delivery.seq)}`}: {outcomeOf(delivery)}{" "}
						<span class="soft">{ago(delivery.created_at, Date.now())}</span>{" "}
						<button
							type="button"
							class="name"
							disabled={action.isBusy && again === delivery.delivery_id}
							onClick={() => redeliver(delivery.delivery_id)}
						>
							Send again
						</button>
					</li>
				))}
			</ul>
		</>
	);
}

/** What came of its last attempt, in a line. */
export function outcomeOf({ status, attempts, latency_ms, answer_status, error }: Delivery): string {
	const answer = answer_status === null ? "" : `, answer ${answer_status}`;
	const time = latency_ms === null ? "" : ` in ${count(latency_ms)} ms`;
	const why = error === null ? "" : `: ${filed(error, 200)}`;
	return `${status}${answer}${time} (${attempts === 1 ? "1 attempt" : `${count(attempts)} attempts`})${why}`;
}
