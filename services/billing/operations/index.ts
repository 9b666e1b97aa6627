import type { Handlers } from "#libs/contract/index.ts";
import type { Resources } from "../resources.ts";
import { addCredits } from "./add-credits.ts";
import { beginSettlement } from "./begin-settlement.ts";
import { capCredits } from "./cap-credits.ts";
import { capKey } from "./cap-key.ts";
import { claimPayment } from "./claim-payment.ts";
import { countKeyUsage } from "./count-key-usage.ts";
import { countUsage } from "./count-usage.ts";
import { coverFile } from "./cover-file.ts";
import { describeUsage } from "./describe-usage.ts";
import { endKey } from "./end-key.ts";
import { finishPayment } from "./finish-payment.ts";
import { issueKey } from "./issue-key.ts";
import { keepPaidAnswer } from "./keep-paid-answer.ts";
import { listCoveredFiles } from "./list-covered-files.ts";
import { listPlans } from "./list-plans.ts";
import { listRecordedUsage } from "./list-recorded-usage.ts";
import { openCredits } from "./open-credits.ts";
import { readCredits } from "./read-credits.ts";
import { readReceipt } from "./read-receipt.ts";
import { releasePayment } from "./release-payment.ts";
import { replaceKey } from "./replace-key.ts";
import { resolveKey } from "./resolve-key.ts";
import { returnPayment } from "./return-payment.ts";
import { reverseCredits } from "./reverse-credits.ts";
import { takeUnsettled } from "./take-unsettled.ts";

/** Every operation this service owns. A missing one does not compile. */
export function operations(resources: Resources): Handlers<"billing"> {
	return {
		listPlans: listPlans(resources),
		resolveKey: resolveKey(resources),
		issueKey: issueKey(resources),
		replaceKey: replaceKey(resources),
		capKey: capKey(resources),
		endKey: endKey(resources),
		describeUsage: describeUsage(resources),
		countUsage: countUsage(resources),
		countKeyUsage: countKeyUsage(resources),
		listRecordedUsage: listRecordedUsage(resources),
		listCoveredFiles: listCoveredFiles(resources),
		coverFile: coverFile(resources),
		claimPayment: claimPayment(resources),
		beginSettlement: beginSettlement(resources),
		finishPayment: finishPayment(resources),
		keepPaidAnswer: keepPaidAnswer(resources),
		releasePayment: releasePayment(resources),
		returnPayment: returnPayment(resources),
		takeUnsettled: takeUnsettled(resources),
		openCredits: openCredits(resources),
		addCredits: addCredits(resources),
		reverseCredits: reverseCredits(resources),
		readCredits: readCredits(resources),
		readReceipt: readReceipt(resources),
		capCredits: capCredits(resources),
	};
}
