import { useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { callAs } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useOperation } from "../../lib/api/use-read.tsx";
import { TextField } from "../../lib/elements/fields.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { NewSecret } from "./account-item.tsx";

const amounts = [5, 20, 50] as const;
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

export function Credits() {
	const { data: pricing } = useOperation("getPricingInfo", "/pricing-info");
	return (
		<Section id="credits" title="Prepaid credits">
			{pricing && !pricing.rails_enabled.card ? (
				<p>This server sells no credits. {pricing.notes[0]}</p>
			) : (
				<div class="columns">
					<Balance />
					<Purchase />
				</div>
			)}
		</Section>
	);
}

/** Shows the balance of a credit token, which is not stored. */
function Balance() {
	const [token, setToken] = useState("");
	const [credits, setCredits] = useState<Reply<"getCredits">>();
	const action = useAction();
	const show = async (event: Event) => {
		event.preventDefault();
		setCredits(await action.run(() => callAs("getCredits", "/credits", { credits: token.trim() })));
	};
	return (
		<form onSubmit={show} noValidate>
			<TextField label="Credit token" value={token} set={setToken} type="password" maxLength={100} />
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
			<p>Buy credits by card. Buying creates a token; it has credit once you pay.</p>
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
