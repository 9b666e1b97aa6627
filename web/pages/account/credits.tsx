import { useId, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs, read } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useRead } from "../../lib/api/use-read.tsx";
import { NewSecret } from "./items.tsx";

const amounts = [5, 20, 50] as const;
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

/** Prepaid credits: their balance, and where they are sold a page to buy them on. */
export function Credits() {
	const { data: pricing } = useRead("pricing", (signal) => read("getPricingInfo", "/pricing-info", {}, signal));
	return (
		<section aria-labelledby="credits">
			<h2 id="credits">Prepaid credits</h2>
			{pricing && !pricing.rails_enabled.card ? (
				<p>This server sells no credits. {pricing.notes[0]}</p>
			) : (
				<div class="columns">
					<Balance />
					<Purchase />
				</div>
			)}
		</section>
	);
}

/** The token is not kept. */
function Balance() {
	const id = useId();
	const [token, setToken] = useState("");
	const [credits, setCredits] = useState<Reply<"getCredits">>();
	const action = useAction();
	const ask = async (event: Event) => {
		event.preventDefault();
		setCredits(await action.run(() => callAs("getCredits", "/credits", { credits: token.trim() })));
	};
	return (
		<form onSubmit={ask} noValidate>
			<label for={id}>Token of credits</label>
			<input
				id={id}
				type="password"
				autocomplete="off"
				maxLength={100}
				value={token}
				onInput={(event) => setToken(event.currentTarget.value)}
			/>
			<p>
				<button type="submit" class="plain" disabled={action.isBusy || token.trim() === ""}>
					Show the balance
				</button>
			</p>
			<Problem action={action} />
			{credits && (
				<p role="status">
					<code>{credits.hint}</code>: <b>{dollars.format(credits.balance_usd)}</b> left.
				</p>
			)}
		</form>
	);
}

function Purchase() {
	const [sold, setSold] = useState<Reply<"startCheckout">>();
	const action = useAction();
	const buy = async (amount_usd: number) => {
		const call = { method: "POST", body: { amount_usd } };
		setSold(await action.run(() => callAs("startCheckout", "/credits/checkout", call)));
	};
	return (
		<div>
			<p>Buy credits by card: a token, which is empty until it is paid for.</p>
			<div class="toolbar">
				{amounts.map((amount) => (
					<button key={amount} type="button" class="plain" disabled={action.isBusy} onClick={() => buy(amount)}>
						{dollars.format(amount).replace(/\.0+$/, "")}
					</button>
				))}
			</div>
			<Problem action={action} />
			{sold && (
				<NewSecret name="Your token" secret={sold.token}>
					<a href={sold.checkout_url} rel="noreferrer">
						Pay for it
					</a>
				</NewSecret>
			)}
		</div>
	);
}
