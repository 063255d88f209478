// Generated from openapi.yaml by `npm run generate`.

export const operations = {
    getAuthInfo: {
        method: "GET",
        path: "/auth/info",
        summary: "Get authentication info",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                type: "string",
                "api_key?": {
                    fields: {
                        "created?": "string",
                        "issuing_user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } },
                        "name?": "string",
                        "project?": { fields: { "id?": "string", "name?": "string", "plan_type?": "string" } },
                        "public_key?": "string",
                    },
                },
                "apiKey?": {
                    fields: {
                        "created?": "string",
                        "issuing_user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } },
                        "name?": "string",
                        "project?": { fields: { "id?": "string", "name?": "string", "plan_type?": "string" } },
                        "public_key?": "string",
                    },
                },
                "oauth?": {
                    fields: { "user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } } },
                },
            },
        },
    },
    listProjects: {
        method: "GET",
        path: "/projects",
        summary: "List projects",
        success: 200,
        takes: "seconds",
        answer: { items: { fields: { id: "string", name: "string" } } },
    },
    listVpcs: {
        method: "GET",
        path: "/projects/{project_id}/vpcs",
        summary: "List all VPCs",
        success: 200,
        takes: "seconds",
        answer: { items: { fields: { id: "string", cidr: "string", name: "string", region_code: "string" } } },
    },
    createVpc: {
        method: "POST",
        path: "/projects/{project_id}/vpcs",
        summary: "Create a VPC",
        success: 201,
        takes: "seconds",
        answer: { fields: { id: "string", cidr: "string", name: "string", region_code: "string" } },
    },
    getVpc: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}",
        summary: "Get a VPC",
        success: 200,
        takes: "seconds",
        answer: { fields: { id: "string", cidr: "string", name: "string", region_code: "string" } },
    },
    deleteVpc: {
        method: "DELETE",
        path: "/projects/{project_id}/vpcs/{vpc_id}",
        summary: "Delete a VPC",
        success: 204,
        takes: "seconds",
    },
    renameVpc: {
        method: "POST",
        path: "/projects/{project_id}/vpcs/{vpc_id}/rename",
        summary: "Rename a VPC",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    listPeerings: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings",
        summary: "List VPC peerings",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    id: "string",
                    peer_account_id: "string",
                    peer_region_code: "string",
                    peer_vpc_id: "string",
                    "error_message?": "string",
                    "provisioned_id?": "string",
                    "status?": "string",
                },
            },
        },
    },
    createPeering: {
        method: "POST",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings",
        summary: "Create a VPC peering",
        success: 201,
        takes: "seconds",
        answer: {
            fields: {
                id: "string",
                peer_account_id: "string",
                peer_region_code: "string",
                peer_vpc_id: "string",
                "error_message?": "string",
                "provisioned_id?": "string",
                "status?": "string",
            },
        },
    },
    getPeering: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
        summary: "Get a VPC peering",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                id: "string",
                peer_account_id: "string",
                peer_region_code: "string",
                peer_vpc_id: "string",
                "error_message?": "string",
                "provisioned_id?": "string",
                "status?": "string",
            },
        },
    },
    deletePeering: {
        method: "DELETE",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
        summary: "Delete a VPC peering",
        success: 204,
        takes: "seconds",
    },
    listServices: {
        method: "GET",
        path: "/projects/{project_id}/services",
        summary: "List all services",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    created: "string",
                    name: "string",
                    project_id: "string",
                    region_code: "string",
                    resources: {
                        items: {
                            fields: {
                                "id?": "string",
                                "spec?": {
                                    fields: {
                                        "cpu_millis?": "number",
                                        "memory_gbs?": "number",
                                        "volume_type?": "string",
                                    },
                                },
                            },
                        },
                    },
                    service_id: "string",
                    service_type: "string",
                    status: "string",
                    "connection_pooler?": {
                        fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                    },
                    "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                    "forked_from?": {
                        fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                    },
                    "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                    "initial_password?": "string",
                    "metadata?": { fields: { "environment?": "string" } },
                    "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                    "read_replica_sets?": {
                        items: {
                            fields: {
                                id: "string",
                                cpu_millis: "number",
                                memory_gbs: "number",
                                name: "string",
                                nodes: "number",
                                status: "string",
                                "connection_pooler?": {
                                    fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                                },
                                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                                "metadata?": { fields: { "environment?": "string" } },
                            },
                        },
                    },
                    "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                },
            },
        },
    },
    createService: {
        method: "POST",
        path: "/projects/{project_id}/services",
        summary: "Create a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    getService: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}",
        summary: "Get a service",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    deleteService: {
        method: "DELETE",
        path: "/projects/{project_id}/services/{service_id}",
        summary: "Delete a service",
        success: 202,
        takes: "minutes",
    },
    startService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/start",
        summary: "Start a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    stopService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/stop",
        summary: "Stop a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    attachToVPC: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/attachToVPC",
        summary: "Attach service to VPC",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    detachFromVPC: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/detachFromVPC",
        summary: "Detach service from VPC",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    resizeService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/resize",
        summary: "Resize a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    enablePooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/enablePooler",
        summary: "Enable connection pooler",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    disablePooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/disablePooler",
        summary: "Disable connection pooler",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    forkService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/forkService",
        summary: "Fork a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    updatePassword: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/updatePassword",
        summary: "Update service password",
        success: 204,
        takes: "seconds",
    },
    setEnvironment: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/setEnvironment",
        summary: "Set environment for a service",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    renameService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/rename",
        summary: "Rename a service",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    getServiceLogs: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}/logs",
        summary: "Get service logs",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                logs: { items: "string" },
                "entries?": { items: { fields: { message: "string", severity: "string", timestamp: "string" } } },
                "last_cursor?": "string",
                "lastCursor?": "string",
            },
        },
    },
    setHA: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/setHA",
        summary: "Change HA configuration",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: "string",
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: { "cpu_millis?": "number", "memory_gbs?": "number", "volume_type?": "string" },
                            },
                        },
                    },
                },
                service_id: "string",
                service_type: "string",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    fields: { "is_standby?": "boolean", "project_id?": "string", "service_id?": "string" },
                },
                "ha_replicas?": { fields: { "replica_count?": "number", "sync_replica_count?": "number" } },
                "initial_password?": "string",
                "metadata?": { fields: { "environment?": "string" } },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "read_replica_sets?": {
                    items: {
                        fields: {
                            id: "string",
                            cpu_millis: "number",
                            memory_gbs: "number",
                            name: "string",
                            nodes: "number",
                            status: "string",
                            "connection_pooler?": {
                                fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                            },
                            "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                            "metadata?": { fields: { "environment?": "string" } },
                        },
                    },
                },
                "vpc_endpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                "vpcEndpoint?": { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
            },
        },
    },
    listReplicaSets: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}/replicaSets",
        summary: "Get read replica sets",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    id: "string",
                    cpu_millis: "number",
                    memory_gbs: "number",
                    name: "string",
                    nodes: "number",
                    status: "string",
                    "connection_pooler?": {
                        fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } },
                    },
                    "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                    "metadata?": { fields: { "environment?": "string" } },
                },
            },
        },
    },
    createReplicaSet: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets",
        summary: "Create a read replica set",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                id: "string",
                cpu_millis: "number",
                memory_gbs: "number",
                name: "string",
                nodes: "number",
                status: "string",
                "connection_pooler?": { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "metadata?": { fields: { "environment?": "string" } },
            },
        },
    },
    deleteReplicaSet: {
        method: "DELETE",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}",
        summary: "Delete a read replica set",
        success: 202,
        takes: "minutes",
    },
    resizeReplicaSet: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/resize",
        summary: "Resize a read replica set",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    enableReplicaSetPooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/enablePooler",
        summary: "Enable pooler for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    disableReplicaSetPooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/disablePooler",
        summary: "Disable pooler for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    setReplicaSetEnvironment: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/setEnvironment",
        summary: "Set environment for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
} as const;

export const methods = { GET: "read", POST: "change", DELETE: "deletion" } as const;

export const formats = ["cidr", "date-time", "email", "password"] as const;

export const deprecatedAliases = { apiKey: "api_key", vpcEndpoint: "vpc_endpoint", lastCursor: "last_cursor" } as const;

export const absentMeans = {
    environment: "DEV",
    is_standby: false,
    replica_count: 0,
    sync_replica_count: 0,
    read_replica_sets: [],
} as const;

export const secretFields = ["initial_password", "password"] as const;
