import { definePlugin, points, services } from '@bailing/plugin-api';
import { requestBody } from './request-body.js';
import { notifyBody } from './notify-body.js';
import { webhookKind } from './webhook-kind.js';

/**
 * Questions by signed webhook (WIRE §9.2): `business_webhook` and `approval_webhook` send the whole request with its decision contract, `webhook`
 * a plain notification.
 */
export const approvalWebhookPlugin = definePlugin({
  id: 'approval-webhook',
  needs: { webhooks: services.webhooks },
  provides: (add) => [
    add(points.approval, 'business_webhook', (context) => webhookKind(context.services.webhooks, requestBody, 'approval_intent_webhook')),
    add(points.approval, 'approval_webhook', (context) => webhookKind(context.services.webhooks, requestBody, 'approval_intent_webhook')),
    add(points.approval, 'webhook', (context) => webhookKind(context.services.webhooks, notifyBody, 'approval_notify')),
  ],
});
